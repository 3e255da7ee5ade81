/** Major, minor, patch. */
export type Version = readonly [number, number, number]

/** Parses `8.5.7`, or the download host's list of three numbers. `undefined` for anything else. */
export function parseVersion(version: unknown): Version | undefined {
  if (typeof version !== 'string') return versionOf(version)
  const cached = PARSED.get(version)
  if (cached !== undefined) return cached
  const parsed = versionOf(textParts(version))
  if (PARSED.size >= MAX_PARSED) PARSED.clear()
  if (parsed !== undefined) PARSED.set(version, parsed)
  return parsed
}

function versionOf(parts: unknown): Version | undefined {
  if (!isList(parts) || parts.length !== 3) return undefined
  const [major, minor, patch] = parts
  return isPart(major) && isPart(minor) && isPart(patch) ? [major, minor, patch] : undefined
}

// Cached: thousands of clients have the same few versions.
const MAX_PARSED = 256
const PARSED = new Map<string, Version>()

function textParts(text: string) {
  return /^v?(\d+)\.(\d+)\.(\d+)(?:[-+.].*)?$/.exec(text.trim())?.slice(1).map(Number)
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value)
}

function isPart(part: unknown): part is number {
  return typeof part === 'number' && Number.isSafeInteger(part) && part >= 0
}

/** Negative when `a` is older, positive when it is newer. */
export function compareVersions(a: Version, b: Version): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2]
}

/** Whether a client's version is `minimum` or newer. False when unknown. */
export function isAtLeast(version: string | undefined, minimum: string): boolean {
  const found = parseVersion(version)
  const wanted = parseVersion(minimum)
  return found !== undefined && wanted !== undefined && compareVersions(found, wanted) >= 0
}

/** Clients below this version cannot be controlled. */
export const MIN_VERSION_FOR_ACTIONS = '8.3.0'
