const MEGABYTE = 1024 * 1024

/**
 * Bytes of a recording's file, compressed and uncompressed. The 32 MB kept in memory by default are at most a few
 * times as much as text, and compress to less than a tenth. Uncompressed bytes are counted while reading, since a small file can expand
 * beyond the memory.
 */
export const FILE_LIMITS = { file: 64 * MEGABYTE, text: 256 * MEGABYTE } as const
