import { t } from '@lingui/core/macro'
import type { FleetLayout } from '../../../folding/fleet/fleet-view.ts'
import { lazyComponent } from '../../parts/feedback/lazy-component.tsx'

export const FleetMap = lazyComponent(() => import('./map/fleet-map.tsx').then(m => m.FleetMap), t`The map`)

export const FleetGrid = lazyComponent(
  () => import('./grid/fleet-grid.tsx').then(m => m.FleetGrid),
  t`The grid of machines`,
)

export const UnitGrid = lazyComponent(
  () => import('./grid/unit-grid.tsx').then(m => m.UnitGrid),
  t`The grid of work units`,
)

/** Fetches the code of a layout that is about to be chosen. */
export function preloadLayout(layout: FleetLayout): void {
  if (layout === 'grid') FleetGrid.preload()
  else if (layout === 'units') UnitGrid.preload()
  else if (layout === 'map') FleetMap.preload()
}
