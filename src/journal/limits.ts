const MEGABYTE = 1024 * 1024

/**
 * Bytes of a recording's file, packed and unpacked. What is kept in memory is 32 MB by default; as text it takes a few
 * times as much, and packs to less than a tenth. A small file can unpack to more than fits into memory, so it is counted
 * while it is unpacked.
 */
export const FILE_LIMITS = { file: 64 * MEGABYTE, text: 256 * MEGABYTE } as const
