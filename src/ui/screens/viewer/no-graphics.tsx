import { t } from '@lingui/core/macro'
import { EmptyState } from '../../parts/display/empty-state.tsx'

/** The words on the page that stay when the alert is closed. */
export const NoGraphics = () => (
  <EmptyState icon="molecule" title={t`WebGL not supported`}>
    <p>{t`Molecules are drawn with WebGL 2, which this browser does not offer at the moment. What usually helps:`}</p>
    <ul>
      <li>{t`Turn hardware acceleration on in the browser’s settings, and restart the browser.`}</li>
      <li>{t`Bring the browser and the graphics driver up to date.`}</li>
      <li>{t`Close other tabs that draw in three dimensions: there may be too many at once.`}</li>
    </ul>
    <p>{t`The work unit goes on folding all the same.`}</p>
  </EmptyState>
)
