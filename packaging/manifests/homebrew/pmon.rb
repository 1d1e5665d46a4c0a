class Pmon < Formula
  desc "Read Windows performance logs, and record the same counters on Linux"
  homepage "@ADDRESS@"
  url "@DOWNLOADS@/pmon-@VERSION@.tar.gz"
  sha256 "@SOURCE_SHA256@"
  license "MIT"

  depends_on "cmake" => :build
  depends_on "pkgconf" => :build
  depends_on "cairo"
  depends_on "curl"
  depends_on "expat"
  depends_on "gnutls"
  depends_on "jansson"
  depends_on "libarchive"
  depends_on "libmicrohttpd"
  depends_on "libpq"
  depends_on :linux # on macOS: npx libpmon
  depends_on "ncurses"
  depends_on "protobuf-c"
  depends_on "snappy"
  depends_on "sqlite"
  depends_on "xxhash"
  depends_on "zlib"
  depends_on "zstd"

  def install
    system "cmake", "-S", ".", "-B", "build", "-DPMON_BUILD_TESTS=OFF", *std_cmake_args
    system "cmake", "--build", "build"
    system "cmake", "--install", "build"
  end

  test do
    (testpath/"log.csv").write <<~EOS
      "(PDH-CSV 4.0) (UTC)(0)","\\\\HOST\\Memory\\Available MBytes"
      "01/01/2026 00:00:00.000","5"
      "01/01/2026 00:01:00.000","7"
    EOS
    assert_match "6", shell_output("#{bin}/pmon stats --format csv log.csv")
  end
end
