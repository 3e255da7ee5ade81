import { t } from '@lingui/core/macro'
import { drawnStyle } from '../../../folding/molecule/molecule.ts'
import { styleName, type Coloring, type DrawStyle } from '../../../folding/molecule/molecule-style.ts'
import { advance, playbackInterval, WIGGLE_INTERVAL, type Speed } from '../../../folding/molecule/playback.ts'
import type { Structure } from '../../../folding/molecule/structure.ts'
import type { PictureLook, Recording } from './viewer.context.ts'
import type { ViewerSnapshot } from './viewer.machine.ts'

export const selectStructure = ({ context }: ViewerSnapshot): Structure => context.structure
export const selectFrameCount = ({ context }: ViewerSnapshot): number => context.frames.length
/** Index of the shown frame. */
export const selectFrame = ({ context }: ViewerSnapshot): number => context.frame
export const selectPositions = ({ context }: ViewerSnapshot): Float32Array | undefined => context.frames[context.frame]
export const hasSeveralFrames = ({ context }: ViewerSnapshot): boolean => context.frames.length > 1
/** Whether atoms and positions are known. */
export const hasMolecule = ({ context }: ViewerSnapshot): boolean =>
  context.structure.topology !== undefined && context.frames.length > 0

export const selectDrawStyle = ({ context }: ViewerSnapshot): DrawStyle =>
  drawnStyle(context.style, context.structure.topology)
export const selectColoring = ({ context }: ViewerSnapshot): Coloring => context.coloring
export const showsSolvent = ({ context }: ViewerSnapshot): boolean => context.showsSolvent
export const isSeeThrough = ({ context }: ViewerSnapshot): boolean => context.isSeeThrough
export const showsLegend = ({ context }: ViewerSnapshot): boolean => context.showsLegend
export const hasOutlines = ({ context }: ViewerSnapshot): boolean => context.hasOutlines
export const prefersReducedMotion = ({ context }: ViewerSnapshot): boolean => context.prefersStill

export const isRotating = (snapshot: ViewerSnapshot): boolean => snapshot.matches({ rotation: 'running' })
export const isWiggling = (snapshot: ViewerSnapshot): boolean => snapshot.matches({ motion: 'wiggling' })
export const isPlaying = (snapshot: ViewerSnapshot): boolean => snapshot.matches({ motion: 'playing' })
export const isDragging = (snapshot: ViewerSnapshot): boolean => snapshot.matches({ pointer: 'dragging' })
export const isCoasting = (snapshot: ViewerSnapshot): boolean => snapshot.matches({ pointer: 'coasting' })
/** Whether it rotates now: not while it is dragged or coasting. */
export const isTurning = (snapshot: ViewerSnapshot): boolean =>
  hasMolecule(snapshot) && isRotating(snapshot) && snapshot.matches({ pointer: 'free' })
/** Milliseconds per frame; undefined without playback. */
export const selectPace = (snapshot: ViewerSnapshot): number | undefined =>
  isWiggling(snapshot) ? WIGGLE_INTERVAL : isPlaying(snapshot) ? playbackInterval(snapshot.context.speed) : undefined
/** The frame that follows the shown one while frames change by themselves. */
export const selectNextFrame = (snapshot: ViewerSnapshot): number => {
  const { context } = snapshot
  const isBackAndForth = context.swings && isPlaying(snapshot)
  return advance(context, context.frames.length, isBackAndForth).frame
}
export const selectSpeed = ({ context }: ViewerSnapshot): Speed => context.speed
export const swings = ({ context }: ViewerSnapshot): boolean => context.swings
/** Whether anything is animated now. */
export const isMoving = (snapshot: ViewerSnapshot): boolean =>
  hasMolecule(snapshot) && (isTurning(snapshot) || isCoasting(snapshot) || selectPace(snapshot) !== undefined)
export const isFullScreen = (snapshot: ViewerSnapshot): boolean => snapshot.hasTag('fullScreen')
export const isRestoring = (snapshot: ViewerSnapshot): boolean => snapshot.hasTag('loading')
export const isSaving = (snapshot: ViewerSnapshot): boolean => snapshot.hasTag('saving')
export const selectRecording = ({ context }: ViewerSnapshot): Recording | undefined => context.recording
export const selectPictureLook = ({ context }: ViewerSnapshot): PictureLook => context.pictures
export const hasSavingFailed = (snapshot: ViewerSnapshot): boolean => snapshot.hasTag('saveFailed')

export const selectHovered = ({ context }: ViewerSnapshot): number | undefined => context.hovered
export const selectPicked = ({ context }: ViewerSnapshot): readonly number[] => context.picked

/** Texts for live regions: they change only when something is to be announced. Frames during playback are not. */
export const selectFrameText = (snapshot: ViewerSnapshot): string => {
  const { frames, frame } = snapshot.context
  if (frames.length === 0) return ''
  return selectPace(snapshot) === undefined ? t`Frame ${frame + 1} of ${frames.length}` : ''
}

export const selectStyleText = ({ context }: ViewerSnapshot): string =>
  styleName(drawnStyle(context.style, context.structure.topology))

export const selectMotionText = (snapshot: ViewerSnapshot): string => {
  if (!hasMolecule(snapshot)) return ''
  const rotation = isRotating(snapshot) ? t`Rotating` : t`Rotation paused`
  if (isWiggling(snapshot)) return t`${rotation}, wiggling`
  return isPlaying(snapshot) ? t`${rotation}, playing the trajectory` : rotation
}

export const selectFrames = ({ context }: ViewerSnapshot): readonly Float32Array[] => context.frames
