import { loadCode } from '../../../loading/load-code.ts'
import type { RecordingKind } from '../../../machines/screens/viewer/viewer.context.ts'
import type { ViewerRef, ViewerSnapshot } from '../../../machines/screens/viewer/viewer.machine.ts'
import { turnCamera } from '../../../viewer/camera.ts'
import type { Camera, PictureOptions } from '../../../viewer/viewer.types.ts'

/** Seconds, and pictures a second. */
const LENGTH = 5
const RATE = 30

type Studio = {
  readonly actor: ViewerRef
  /** Width and height of a video in pixels, both even. */
  readonly size: () => readonly [number, number]
  readonly camera: () => Camera
  /** Draws a picture of this size. */
  readonly draw: (options: PictureOptions, size: readonly [number, number]) => Promise<OffscreenCanvas>
}

/** Makes the videos that the machine wants, and reports to it. */
export function createRecorder({ actor, size, camera, draw }: Studio) {
  let running: AbortController | undefined

  const make = async (kind: RecordingKind, name: string, signal: AbortSignal): Promise<void> => {
    const { record } = await loadCode(() => import('../../../viewer/recording/record.ts'))
    signal.throwIfAborted()
    const [videoSize, first] = [size(), camera()]
    const snapshot = actor.getSnapshot()
    const { file, extension } = await record({
      pictures: LENGTH * RATE,
      rate: RATE,
      width: videoSize[0],
      height: videoSize[1],
      draw: picture => draw(shotOf(kind, picture / (LENGTH * RATE), first, snapshot), videoSize),
      onProgress: share => {
        if (!signal.aborted) actor.send({ type: 'viewer.recordingProgressed', share })
      },
      signal,
    })
    actor.send({ type: 'viewer.recorded', name: `${name}.${extension}`, file })
  }

  return {
    follow: (snapshot: ViewerSnapshot): void => {
      const wanted = snapshot.context.recording
      if (wanted === undefined) {
        running?.abort()
        running = undefined
      } else if (running === undefined) {
        const { signal } = (running = new AbortController())
        make(wanted.kind, wanted.name, signal).catch(() => {
          if (!signal.aborted) actor.send({ type: 'viewer.recordingFailed' })
        })
      }
    },
    stop: (): void => {
      if (running !== undefined) actor.send({ type: 'viewer.cancelFile' })
      running?.abort()
    },
  }
}

/** The camera and the place in the trajectory at a share of a video. */
export function shotOf(kind: RecordingKind, share: number, camera: Camera, snapshot: ViewerSnapshot): PictureOptions {
  if (kind === 'turn') return { camera: turnCamera(camera, [0, 1, 0], 2 * Math.PI * share) }
  const way = snapshot.context.swings ? 1 - Math.abs(1 - 2 * share) : share
  return { camera, place: way * (snapshot.context.frames.length - 1) }
}
