import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { knownAlignment } from '../../../folding/molecule/aligned-frames.ts'
import { withoutSolvent } from '../../../folding/molecule/kinds.ts'
import { knownMolecule } from '../../../folding/molecule/molecule.ts'
import { selectPositions } from '../../../machines/screens/viewer/viewer.selectors.ts'
import { ballOf } from '../../../viewer/ball.ts'
import { drawStill, stillShapes } from '../../../viewer/still.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { fittingCamera } from './fit.ts'
import { useTopology } from './molecule-facts.ts'
import styles from './molecule-view.module.css'
import { useTheme } from './use-theme.ts'

/** Pixels. */
const SIZE = [1280, 720] as const

/** The shown frame on a plain canvas, where there is no WebGL. */
export const StillPicture = () => {
  const topology = useTopology()
  const positions = useSelector(useSystem().viewer, selectPositions)
  const theme = useTheme()
  const draw = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      const context = canvas?.getContext('2d')
      if (context === null || context === undefined || topology === undefined || positions === undefined) return
      const [molecule, frame] = [knownMolecule(topology), knownAlignment(topology).aligned(positions)]
      const solute = withoutSolvent(molecule.kinds, frame)
      const ball = ballOf(solute)
      drawStill(
        context,
        stillShapes(molecule, frame, { camera: fittingCamera(solute, ball, SIZE), ball, size: SIZE, theme }),
      )
    },
    [topology, positions, theme],
  )
  return (
    <figure className={styles['still']}>
      <canvas ref={draw} role="img" aria-label={t`The molecule, still`} width={SIZE[0]} height={SIZE[1]} />
      <figcaption className={styles['quiet']}>{t`A still picture of the shown frame, drawn without WebGL.`}</figcaption>
    </figure>
  )
}
