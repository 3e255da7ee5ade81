import { t } from '@lingui/core/macro'
import { selectPositions } from '../../../machines/screens/viewer/viewer.selectors.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { MoleculeDrawing } from '../molecule/molecule-drawing.tsx'
import { useTopology } from './molecule-facts.ts'
import styles from './molecule-view.module.css'

/** The shown frame on a plain canvas, where there is no WebGL. */
export function StillPicture() {
  return (
    <figure className={styles['still']}>
      <MoleculeDrawing
        topology={useTopology()}
        positions={useSelector(useSystem().viewer, selectPositions)}
        width={1280}
        height={720}
      />
      <figcaption className="quiet">{t`A still picture of the shown frame, drawn without WebGL.`}</figcaption>
    </figure>
  )
}
