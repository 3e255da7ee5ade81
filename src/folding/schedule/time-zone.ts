const zones = new Map<string, string | undefined>()
const MOST_ZONES = 1000

/** The name of an IANA time zone as it is written; undefined for anything else. */
export function canonicalTimeZone(name: string): string | undefined {
  if (!zones.has(name)) {
    if (zones.size >= MOST_ZONES) zones.clear()
    zones.set(name, timeZoneOf(name))
  }
  return zones.get(name)
}

function timeZoneOf(name: string): string | undefined {
  // Offsets such as +01:00 have no daylight saving: they are no zones here.
  if (!/^[A-Za-z][\w+\-/]*$/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** Of this computer. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone
}
