// values.cs - as values.c, by System.Diagnostics.CounterSample.Calculate: mono values.exe [ROUNDS]
// SPDX-License-Identifier: MIT
//
//	mcs -r:System.dll values.cs

using System;
using System.Diagnostics;
using System.Globalization;

class Values
{
	const long Ticks = 10000000;
	const int Raws = 4096, Shown = 1000, Passes = 500, Multi = 4;
	const int MultiFlag = 0x02000000; // PERF_MULTI_COUNTER

	static readonly CounterSample[] raws = new CounterSample[Raws];
	public static float sink; // so that no loop is optimised away

	static ulong Next(ref ulong state)
	{
		state = unchecked(state * 6364136223846793005UL + 1442695040888963407UL);
		return state >> 33;
	}

	static void Fill(PerformanceCounterType type)
	{
		bool multi = ((int)type & MultiFlag) != 0;
		ulong state = 1;
		long first = 1000, count = 50, clock = 1L << 32;

		for (int i = 0; i < Raws; i++) {
			first += (long)(Next(ref state) % 400000);
			count += (long)(1 + Next(ref state) % 16);
			clock += (long)(9000000 + Next(ref state) % 2000000);
			raws[i] = new CounterSample(first, multi ? Multi : count, Ticks, Ticks,
				clock, clock, type);
		}
	}

	static double Measure()
	{
		Stopwatch watch = Stopwatch.StartNew();
		float sum = 0;

		for (int pass = 0; pass < Passes; pass++)
			for (int i = 1; i < Raws; i++)
				sum += CounterSample.Calculate(raws[i - 1], raws[i]);
		sink = sum;
		return watch.Elapsed.TotalMilliseconds * 1e6 / Passes / (Raws - 1);
	}

	static bool IsBase(PerformanceCounterType type)
	{
		return type.ToString().EndsWith("Base");
	}

	// What is not handled complains on standard output, each time: it is tried once, out of sight.
	static bool IsHandled()
	{
		System.IO.TextWriter console = Console.Out;
		System.IO.StringWriter words = new System.IO.StringWriter();

		Console.SetOut(words);
		CounterSample.Calculate(raws[0], raws[1]);
		Console.SetOut(console);
		return words.ToString() == "";
	}

	static void PrintType(PerformanceCounterType type, int rounds)
	{
		double best = double.PositiveInfinity;

		Fill(type);
		if (!IsHandled())
			return;
		for (int i = 0; i < rounds; i++)
			best = Math.Min(best, Measure());
		Console.WriteLine("type {0} {1:F2} {2}", (uint)type, best, type);
		for (int i = 1; i <= Shown; i++)
			Console.WriteLine(CounterSample.Calculate(raws[i - 1], raws[i]).ToString("R"));
	}

	static void Main(string[] args)
	{
		int rounds = args.Length > 0 ? int.Parse(args[0]) : 3;

		CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
		foreach (PerformanceCounterType type in Enum.GetValues(typeof(PerformanceCounterType)))
			if (!IsBase(type))
				PrintType(type, rounds);
	}
}
