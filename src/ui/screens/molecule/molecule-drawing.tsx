import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { knownAlignment } from '../../../folding/molecule/aligned-frames.ts'
import { withoutSolvent } from '../../../folding/molecule/kinds.ts'
import { knownMolecule } from '../../../folding/molecule/molecule.ts'
import type { Topology } from '../../../protocol/visualization.ts'
import { ballOf } from '../../../viewer/ball.ts'
import { drawStill, stillShapes } from '../../../viewer/still.ts'
import { fittingCamera } from '../viewer/fit.ts'
import { useTheme } from '../viewer/use-theme.ts'

type Props = {
  readonly topology: Topology | undefined
  /** x, y and z of each atom, in ångström. */
  readonly positions: Float32Array | undefined
  /** Pixels. */
  readonly width: number
  readonly height: number
}

/** One frame of a molecule on a plain canvas. */
export function MoleculeDrawing({ topology, positions, width, height }: Props) {
  const theme = useTheme()
  const draw = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      const context = canvas?.getContext('2d')
      if (context === null || context === undefined || topology === undefined || positions === undefined) return
      const [molecule, frame] = [knownMolecule(topology), knownAlignment(topology).aligned(positions)]
      const solute = withoutSolvent(molecule.kinds, frame)
      const ball = ballOf(solute)
      const size = [width, height] as const
      drawStill(context, stillShapes(molecule, frame, { camera: fittingCamera(solute, ball, size), ball, size, theme }))
    },
    [topology, positions, width, height, theme],
  )
  return <canvas ref={draw} role="img" aria-label={t`The molecule, still`} width={width} height={height} />
}
