#pragma once

/// Registers the benchmarks from an HDF5 log to its statistics.
void registerPipeline();
