import { isJsonList, isJsonObject, type Json } from '../../../src/protocol/json.ts'
import type { Later } from './pacer.ts'

type Molecule = {
  topology: Json | undefined
  /** In order, without gaps. */
  frames: Json[]
  bytes: number
}

export type MoleculesDeps = {
  /** Asks the client for one unit's molecule; '' ends the stream. */
  readonly request: (unit: string, frame: number) => void
  /** How many frames the client reports that a unit has. */
  readonly framesOf: (unit: string) => number
  readonly later: Later
}

export type MoleculeReader = { readonly send: (content: Json) => void }

/**
 * The molecules of one client for any number of readers. A client streams one unit per connection
 * (docs/protocol.md §8), so units take turns: the next is the one of which the client has frames that are not here.
 */
export type Molecules = {
  readonly view: (reader: MoleculeReader, unit: string, frame: number) => void
  readonly leave: (reader: MoleculeReader) => void
  /** A message that begins with `viz`. */
  readonly receive: (content: readonly Json[]) => void
  /** The number of frames of a unit may have changed. */
  readonly check: () => void
  /** The connection to the client was lost. */
  readonly clear: () => void
}

/** A client may announce a frame that it cannot read yet; the others must not wait for it forever. */
const TURN_MS = 15_000
/** A client sends at most 25 MB of a unit. */
const MOST_BYTES = 32 * 1_048_576
/** Pages keep 1,000 (docs/product.md §9). */
const MOST_FRAMES = 10_000

export function createMolecules({ request, framesOf, later }: MoleculesDeps): Molecules {
  const molecules = new Map<string, Molecule>()
  const readers = new Map<MoleculeReader, { readonly unit: string; next: number; needsTopology: boolean }>()
  let streamed: string | undefined
  let cancelTurn: (() => void) | undefined

  const wanted = (): readonly string[] => [...new Set([...readers.values()].map(({ unit }) => unit))]

  const isMissing = (unit: string): boolean => {
    const molecule = molecules.get(unit)
    if (molecule === undefined) return true
    if (molecule.bytes >= MOST_BYTES) return false
    return molecule.topology === undefined || molecule.frames.length < framesOf(unit)
  }

  const stream = (unit: string): void => {
    const molecule = molecules.get(unit) ?? { topology: undefined, frames: [], bytes: 0 }
    // Without a topology the client has to begin again (docs/protocol.md §8).
    if (molecule.topology === undefined) molecule.frames = []
    molecules.set(unit, molecule)
    streamed = unit
    request(unit, molecule.frames.length)
    cancelTurn?.()
    cancelTurn = later(TURN_MS, () => {
      cancelTurn = undefined
      check(true)
    })
  }

  /** `isOver`: the streamed unit has had its time. */
  const check = (isOver = false): void => {
    const units = wanted()
    for (const unit of [...molecules.keys()]) if (!units.includes(unit)) molecules.delete(unit)
    if (units.length === 0) {
      cancelTurn?.()
      cancelTurn = undefined
      if (streamed !== undefined) request('', 0)
      streamed = undefined
      return
    }
    const at = streamed === undefined ? -1 : units.indexOf(streamed)
    if (at >= 0 && isMissing(units[at] ?? '') && !isOver) return
    const inTurn = [...units.slice(at + 1), ...units.slice(0, Math.max(0, at + 1))]
    const next = inTurn.find(isMissing)
    if (next !== undefined) {
      // The stream of a unit goes on by itself, but a first request may have come before the first frame.
      const isStarted = next === streamed && molecules.get(next)?.topology !== undefined
      if (!isStarted) stream(next)
      else if (cancelTurn === undefined)
        cancelTurn = later(TURN_MS, () => {
          cancelTurn = undefined
          check(true)
        })
    }
  }

  const pass = (reader: MoleculeReader, position: { unit: string; next: number; needsTopology: boolean }): void => {
    const molecule = molecules.get(position.unit)
    if (molecule?.topology === undefined) return
    if (position.needsTopology) reader.send(['viz', position.unit, 'topology', molecule.topology])
    position.needsTopology = false
    for (; position.next < molecule.frames.length; position.next++)
      reader.send(['viz', position.unit, 'frames', position.next, molecule.frames[position.next] ?? null])
  }

  const keep = (unit: string, part: Json | undefined, index: Json | undefined, value: Json): void => {
    const molecule = molecules.get(unit)
    if (molecule === undefined || molecule.bytes >= MOST_BYTES) return
    const bytes = sizeOf(value)
    if (molecule.bytes + bytes > MOST_BYTES) molecule.bytes = MOST_BYTES
    else if (part === 'topology') molecule.topology = value
    else if (part === 'frames' && index === molecule.frames.length && index < MOST_FRAMES) molecule.frames.push(value)
    else return
    molecule.bytes += bytes
  }

  return {
    view: (reader, unit, frame) => {
      readers.delete(reader)
      if (unit !== '') {
        const position = { unit, next: frame, needsTopology: frame === 0 }
        readers.set(reader, position)
        pass(reader, position)
      }
      check()
    },
    leave: reader => {
      if (readers.delete(reader)) check()
    },
    receive: ([, unit, part, ...rest]) => {
      if (typeof unit !== 'string') return
      if (isJsonObject(part)) {
        const { topology, frames } = part
        if (topology !== undefined) keep(unit, 'topology', undefined, topology)
        if (isJsonList(frames)) frames.forEach((frame, at) => keep(unit, 'frames', at, frame))
      } else if (part === 'topology') keep(unit, part, undefined, rest[0] ?? null)
      else if (part === 'frames' && rest.length === 1 && isJsonList(rest[0]))
        rest[0].forEach((frame, at) => keep(unit, 'frames', at, frame))
      else if (part === 'frames') keep(unit, part, rest[0], rest[1] ?? null)
      for (const [reader, position] of readers) if (position.unit === unit) pass(reader, position)
      check()
    },
    check: () => {
      check()
    },
    clear: () => {
      cancelTurn?.()
      cancelTurn = undefined
      streamed = undefined
      molecules.clear()
      readers.clear()
    },
  }
}

/** About how many bytes a value takes, without writing it as text: coordinates are most of it. */
function sizeOf(value: Json): number {
  if (typeof value === 'string') return value.length
  if (isJsonList(value)) return value.reduce((sum: number, item) => sum + sizeOf(item), 8)
  if (isJsonObject(value)) return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + sizeOf(item), 8)
  return 8
}
