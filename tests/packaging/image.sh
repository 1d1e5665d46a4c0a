#!/usr/bin/env bash
# image.sh - the image for containers has what its manifests say, and the same bytes each time
# SPDX-License-Identifier: MIT
. "$PMON_SOURCE_DIR/tests/cli/lib.sh" || exit 1
need python3

mkdir -p made/licences
printf '#!/bin/sh\n' >made/pmon
echo licence >made/LICENSE
echo list >made/licences/README.txt
gen=$PMON_SOURCE_DIR/tools/gen-image
ran="gen-image"
"$gen" made 1.2.3 a.tar && touch -d 2020-01-01 made/pmon && "$gen" made 1.2.3 b.tar && cmp a.tar b.tar && ok || bad "not the same bytes"

# OCI image-spec 1.1: image-layout.md, manifest.md, config.md. Each blob has the digest and the size that name it.
python3 - <<'PYTHON' >report 2>&1 && ok || bad "$(cat report)"
import gzip, hashlib, io, json, tarfile
tar = tarfile.open("a.tar")
read = lambda name: tar.extractfile(name).read()
def blob(one):
    data = read("blobs/" + one["digest"].replace(":", "/"))
    assert "sha256:" + hashlib.sha256(data).hexdigest() == one["digest"] and len(data) == one["size"], one
    return data
assert json.loads(read("oci-layout")) == {"imageLayoutVersion": "1.0.0"}
index = json.loads(read("index.json"))
manifest = json.loads(blob(index["manifests"][0]))
assert index["schemaVersion"] == manifest["schemaVersion"] == 2
config, layer = json.loads(blob(manifest["config"])), gzip.decompress(blob(manifest["layers"][0]))
assert config["os"] == "linux" and config["rootfs"]["diff_ids"] == ["sha256:" + hashlib.sha256(layer).hexdigest()]
files = {one.name: one for one in tarfile.open(fileobj=io.BytesIO(layer))}
program, folder = files[config["config"]["Entrypoint"][0].strip("/")], files[config["config"]["WorkingDir"].strip("/")]
assert program.mode == 0o755 and folder.isdir() and files["tmp"].mode == 0o1777
assert "licences/README.txt" in files and "licences/pmon.txt" in files
PYTHON
if skopeo --version >/dev/null 2>&1; then
	for form in oci docker; do
		ran="skopeo inspect $form-archive"
		skopeo inspect $form-archive:a.tar >report 2>&1 && ok || bad "$(cat report)"
	done
fi
finish
