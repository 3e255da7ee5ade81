import { t } from '@lingui/core/macro'
import { drawnColoring, drawnStyle, knownMolecule } from '../../../folding/molecule/molecule.ts'
import { styleName, type Coloring, type DrawStyle } from '../../../folding/molecule/molecule-style.ts'
import { advance, playbackInterval, WIGGLE_INTERVAL } from '../../../folding/molecule/playback.ts'
import type { Economy } from './viewer.context.ts'
import type { ViewerSnapshot } from './viewer.machine.ts'

export function selectPositions({ context }: ViewerSnapshot): Float32Array | undefined {
  return context.frames[context.frame]
}
export function hasSeveralFrames({ context }: ViewerSnapshot): boolean {
  return context.frames.length > 1
}
/** Whether atoms and positions are known. */
export function hasMolecule({ context }: ViewerSnapshot): boolean {
  return context.structure.topology !== undefined && context.frames.length > 0
}

export function selectDrawStyle({ context }: ViewerSnapshot): DrawStyle {
  return drawnStyle(context.style, context.structure.topology)
}
export function selectColoring({ context }: ViewerSnapshot): Coloring {
  const { structure, style, coloring } = context
  return structure.topology === undefined
    ? (coloring ?? 'element')
    : drawnColoring(coloring, drawnStyle(style, structure.topology), knownMolecule(structure.topology))
}
/** Why it stands still, unless somebody asked it to move. */
export function selectEconomy(snapshot: ViewerSnapshot): Economy | undefined {
  return isMoving(snapshot) ? undefined : snapshot.context.economy
}

export function isRotating(snapshot: ViewerSnapshot): boolean {
  return snapshot.matches({ rotation: 'running' })
}
export function isWiggling(snapshot: ViewerSnapshot): boolean {
  return snapshot.matches({ motion: 'wiggling' })
}
export function isPlaying(snapshot: ViewerSnapshot): boolean {
  return snapshot.matches({ motion: 'playing' })
}
export function isDragging(snapshot: ViewerSnapshot): boolean {
  return snapshot.matches({ pointer: 'dragging' })
}
export function isCoasting(snapshot: ViewerSnapshot): boolean {
  return snapshot.matches({ pointer: 'coasting' })
}
/** Whether it rotates now: not while it is dragged or coasting. */
export function isTurning(snapshot: ViewerSnapshot): boolean {
  return hasMolecule(snapshot) && isRotating(snapshot) && snapshot.matches({ pointer: 'free' })
}
/** Milliseconds per frame; undefined without playback. */
export function selectPace(snapshot: ViewerSnapshot): number | undefined {
  return isWiggling(snapshot)
    ? WIGGLE_INTERVAL
    : isPlaying(snapshot)
      ? playbackInterval(snapshot.context.speed)
      : undefined
}
/** The frame that follows the shown one while frames change by themselves. */
export function selectNextFrame(snapshot: ViewerSnapshot): number {
  const { context } = snapshot
  const isBackAndForth = context.swings && isPlaying(snapshot)
  return advance(context, context.frames.length, isBackAndForth).frame
}
/** Whether anything is animated now. */
export function isMoving(snapshot: ViewerSnapshot): boolean {
  return hasMolecule(snapshot) && (isTurning(snapshot) || isCoasting(snapshot) || selectPace(snapshot) !== undefined)
}

/** Texts for live regions: they change only when something is to be announced. Frames during playback are not. */
export function selectFrameText(snapshot: ViewerSnapshot): string {
  const { frames, frame } = snapshot.context
  if (frames.length === 0) return ''
  return selectPace(snapshot) === undefined ? t`Frame ${frame + 1} of ${frames.length}` : ''
}

export function selectStyleText({ context }: ViewerSnapshot): string {
  return styleName(drawnStyle(context.style, context.structure.topology))
}

export function selectMotionText(snapshot: ViewerSnapshot): string {
  if (!hasMolecule(snapshot)) return ''
  const rotation = isRotating(snapshot) ? t`Rotating` : t`Rotation paused`
  if (isWiggling(snapshot)) return t`${rotation}, wiggling`
  return isPlaying(snapshot) ? t`${rotation}, playing the trajectory` : rotation
}
