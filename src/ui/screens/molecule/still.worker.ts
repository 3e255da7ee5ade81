import '../../../loading/source-locale.ts'
import { alignmentOf } from '../../../folding/molecule/aligned-frames.ts'
import { withoutSolvent } from '../../../folding/molecule/kinds.ts'
import { moleculeOf } from '../../../folding/molecule/molecule.ts'
import { reportReady } from '../../../loading/report-ready.ts'
import type { Topology } from '../../../protocol/client/visualization.ts'
import { ballOf } from '../../../viewer/ball.ts'
import { drawStill } from '../../../viewer/still.ts'
import { fittingCamera } from '../viewer/fit.ts'
import type { StillAnswer, StillRequest } from './still-pictures.ts'

/** The molecule of the last picture: frames of one molecule follow each other where there is no WebGL. */
let last: ReturnType<typeof prepared> | undefined

function prepared(topology: Topology) {
  const molecule = moleculeOf(topology)
  return { molecule, alignment: alignmentOf(molecule) }
}

function pixelsOf({ topology, positions, size, theme }: StillRequest): Uint8ClampedArray<ArrayBuffer> {
  if (topology !== undefined) last = prepared(topology)
  if (last === undefined) throw new Error('A picture of an unknown molecule was requested.')
  const { molecule, alignment } = last
  const frame = alignment.aligned(positions)
  const solute = withoutSolvent(molecule.kinds, frame)
  const ball = ballOf(solute)
  return drawStill(molecule, frame, { camera: fittingCamera(solute, ball, size), ball, size, theme })
}

addEventListener('message', ({ data }: MessageEvent<StillRequest>) => {
  let answer: StillAnswer
  try {
    answer = { pixels: pixelsOf(data) }
  } catch (error) {
    answer = { failure: String(error) }
  }
  postMessage(answer, { transfer: 'pixels' in answer ? [answer.pixels.buffer] : [] })
})
reportReady(navigator.locks, message => postMessage(message))
