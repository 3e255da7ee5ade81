/** Major, minor, patch. */
export type Version = readonly [number, number, number]

/** Parses `8.5.7`, or the download host's list of three numbers. `undefined` for anything else. */
export const parseVersion = (version: unknown): Version | undefined => {
  if (typeof version !== 'string') return versionOf(version)
  const known = PARSED.get(version)
  if (known !== undefined) return known
  const parsed = versionOf(textParts(version))
  if (PARSED.size >= MAX_PARSED) PARSED.clear()
  if (parsed !== undefined) PARSED.set(version, parsed)
  return parsed
}

const versionOf = (parts: unknown): Version | undefined => {
  if (!isList(parts) || parts.length !== 3) return undefined
  const [major, minor, patch] = parts
  return isPart(major) && isPart(minor) && isPart(patch) ? [major, minor, patch] : undefined
}

// Cached: thousands of clients have the same few versions.
const MAX_PARSED = 256
const PARSED = new Map<string, Version>()

const textParts = (text: string) => /^v?(\d+)\.(\d+)\.(\d+)(?:[-+.].*)?$/.exec(text.trim())?.slice(1).map(Number)

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

const isPart = (part: unknown): part is number => typeof part === 'number' && Number.isSafeInteger(part) && part >= 0

/** Negative when `a` is older, positive when it is newer. */
export const compareVersions = (a: Version, b: Version): number => a[0] - b[0] || a[1] - b[1] || a[2] - b[2]

/** Whether a client's version is `minimum` or newer. False when unknown. */
export const isAtLeast = (version: string | undefined, minimum: string): boolean => {
  const found = parseVersion(version)
  const wanted = parseVersion(minimum)
  return found !== undefined && wanted !== undefined && compareVersions(found, wanted) >= 0
}

/** Clients below this version cannot be controlled. */
export const MIN_VERSION_FOR_ACTIONS = '8.3.0'
