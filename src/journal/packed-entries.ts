import type { RecordedEntry } from './recording.ts'

/** Number of entries that are packed at once, in idle time: one may be a history of thousands of units. */
const PACK = 64

type Part = { readonly text: Uint8Array } | { readonly entries: readonly RecordedEntry[] }

/**
 * Keeps entries as UTF-8 text where JSON restores them exactly, which takes a fifth of the memory of objects. Entries that
 * hold anything else, such as positions of atoms or log lines, stay objects.
 */
export function createPackedEntries(whenIdle: (run: () => void) => void) {
  const parts: Part[] = []
  let recent: { readonly entry: RecordedEntry; readonly bytes: number }[] = []
  let count = 0
  let bytes = 0

  const packPlain = (run: typeof recent): void => {
    if (run.length === 0) return
    const text = new TextEncoder().encode(JSON.stringify(run.map(({ entry }) => entry)))
    parts.push({ text })
    bytes += text.byteLength - run.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  const pack = (): void => {
    let plain: typeof recent = []
    for (const added of recent) {
      if (isPlain(added.entry)) plain.push(added)
      else {
        packPlain(plain)
        plain = []
        parts.push({ entries: [added.entry] })
      }
    }
    packPlain(plain)
    recent = []
  }

  return {
    add: (entry: RecordedEntry, size: number): void => {
      count += 1
      bytes += size
      if (recent.push({ entry, bytes: size }) === PACK) whenIdle(pack)
    },
    /** Packs the latest entries too. */
    pack,
    count: () => count,
    /** Estimated bytes in memory. */
    bytes: () => bytes,
    /** In the order in which they were added. */
    list: (): readonly RecordedEntry[] => [...parts.flatMap(entriesOf), ...recent.map(({ entry }) => entry)],
  }
}

export type PackedEntries = ReturnType<typeof createPackedEntries>

function entriesOf(part: Part): readonly RecordedEntry[] {
  return 'entries' in part ? part.entries : (JSON.parse(new TextDecoder().decode(part.text)) as RecordedEntry[])
}

/** Whether JSON restores the value exactly. */
function isPlain(value: unknown): boolean {
  if (typeof value === 'number') return Number.isFinite(value) && !Object.is(value, -0)
  if (typeof value !== 'object' || value === null) return ['string', 'boolean', 'object'].includes(typeof value)
  if (Array.isArray(value)) return value.every(isPlain)
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype || 'toJSON' in value) return false
  return Object.values(value).every(isPlain)
}
