import { chance, chanceBetween } from '../clients/random.ts'
import type { FrameFault, Shares, SocketChannel } from './kinds.ts'
import { forged, garbled, isSealed, truncated } from './texts.ts'

const MIN_DELAY_MS = 50
const MAX_DELAY_MS = 800
/** A reordered frame is delivered after this time if no other frame follows. */
const MAX_WAIT_MS = 200

export type DirectionOptions = {
  readonly seed: number
  readonly way: SocketChannel
  readonly isOutgoing: boolean
  readonly shares: () => Shares<FrameFault>
  readonly deliver: (text: string) => void
  /** Called when a fault cannot be noticed by the reader, so that the connection must end with the faults. */
  readonly onUnrecoverable: () => void
}

/** One direction of a connection. The fault of each frame depends on the seed alone. */
export type Direction = {
  readonly pass: (text: string) => void
  /** Delivers what is held back. */
  readonly release: () => void
}

export function createDirection({
  seed,
  way,
  isOutgoing,
  shares,
  deliver,
  onUnrecoverable,
}: DirectionOptions): Direction {
  let frame = 0
  const waiting: string[] = []
  let isHeld = false
  let held: string | undefined
  let timer: NodeJS.Timeout | undefined
  let sealed: string | undefined

  const emit = (text: string): void => {
    if (isHeld) waiting.push(text)
    else deliver(text)
  }

  const releaseHeld = (): void => {
    if (held === undefined) return
    const late = held
    held = undefined
    emit(late)
  }

  const release = (): void => {
    clearTimeout(timer)
    isHeld = false
    for (const text of waiting.splice(0)) deliver(text)
    releaseHeld()
  }

  const holdFor = (ms: number): void => {
    clearTimeout(timer)
    timer = setTimeout(release, ms)
  }

  const faultOf = (): FrameFault | undefined =>
    [...shares()].find(([kind, share]) => chance(seed, frame, kind) < share)?.[0]

  /**
   * Readers of the local client and of sessions request the full state after an unreadable message. Messages of the
   * relay cannot be requested again.
   */
  const markUnlessNoticeable = (text: string): void => {
    if (way === 'page' && isOutgoing && !isSealed(text)) onUnrecoverable()
  }

  const applyFault = (fault: FrameFault | undefined, text: string): void => {
    switch (fault) {
      case undefined:
        emit(text)
        break
      case 'drop':
        onUnrecoverable()
        break
      case 'delay':
        isHeld = true
        emit(text)
        holdFor(chanceBetween(MIN_DELAY_MS, MAX_DELAY_MS, seed, frame))
        break
      case 'duplicate':
        // Messages of sessions have an IV, so duplicates are rejected.
        if (way === 'direct' && isOutgoing) onUnrecoverable()
        emit(text)
        emit(text)
        break
      case 'reorder':
        onUnrecoverable()
        held = text
        if (!isHeld) holdFor(MAX_WAIT_MS)
        break
      case 'truncate':
        markUnlessNoticeable(text)
        emit(truncated(text, seed + frame))
        break
      case 'garble':
        markUnlessNoticeable(text)
        emit(garbled(text, seed + frame))
        break
      case 'forge': {
        const forgery = forged(text)
        if (forgery !== undefined) emit(forgery)
        emit(text)
        break
      }
      case 'replay':
        emit(text)
        if (sealed !== undefined) emit(sealed)
        break
    }
  }

  return {
    pass: text => {
      frame += 1
      const fault = held === undefined ? faultOf() : undefined
      applyFault(fault, text)
      if (isSealed(text)) sealed = text
      if (fault !== 'reorder') releaseHeld()
    },
    release,
  }
}
