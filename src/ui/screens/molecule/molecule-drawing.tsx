import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import type { Topology } from '../../../protocol/client/visualization.ts'
import { useTheme } from '../viewer/use-theme.ts'
import { stillPictures } from './still-pictures.ts'

type Props = {
  readonly topology: Topology | undefined
  /** x, y and z of each atom, in ångström. */
  readonly positions: Float32Array | undefined
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** Of a picture that stays as it was first drawn, whichever frame is newest later. */
  readonly name?: string
}

/** One frame of a molecule on a plain canvas. */
export function MoleculeDrawing({ topology, positions, width, height, name }: Props) {
  const theme = useTheme()
  const draw = useCallback(
    (canvas: HTMLCanvasElement | null) => {
      // The GPU may be busy with folding.
      const context = canvas?.getContext('2d', { willReadFrequently: true })
      if (context === null || context === undefined || topology === undefined || positions === undefined)
        return undefined
      return stillPictures.draw({ topology, positions, size: [width, height], theme, name }, pixels =>
        context.putImageData(new ImageData(pixels, width, height), 0, 0),
      )
    },
    [topology, positions, width, height, theme, name],
  )
  return <canvas ref={draw} role="img" aria-label={t`The molecule, still`} width={width} height={height} />
}
