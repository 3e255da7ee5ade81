import { t } from '@lingui/core/macro'
import { EmptyState } from '../../parts/display/empty-state.tsx'

/** The words on the page that stay when the alert is closed. */
export const NoGraphics = () => (
  <EmptyState icon="molecule" title={t`WebGL not supported`}>
    <p>{t`Molecules are drawn with WebGL 2, which is not available in this browser. Things to try:`}</p>
    <ul>
      <li>{t`Turn on hardware acceleration in the browser’s settings and restart the browser.`}</li>
      <li>{t`Update the browser and the graphics driver.`}</li>
      <li>{t`Close other tabs with 3D graphics: too many may be open at once.`}</li>
    </ul>
    <p>{t`The work unit keeps folding.`}</p>
  </EmptyState>
)
