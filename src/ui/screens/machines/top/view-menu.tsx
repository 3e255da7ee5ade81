import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useSearchParams } from 'react-router-dom'
import {
  collapseAll,
  hasMap,
  isFleetLayout,
  layoutFor,
  type FleetLayout,
  type FleetView,
} from '../../../../folding/fleet/fleet-view.ts'
import { selectFleetView } from '../../../../machines/app/preferences/preferences.selectors.ts'
import { selectOnlyId, selectShownIds } from '../../../../machines/connection/fleet/fleet.selectors.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { MenuButton } from '../../../parts/overlays/menu-button.tsx'
import type { MenuEntry } from '../../../parts/overlays/menu-popover.tsx'
import { preloadLayout } from '../lazy-layouts.ts'
import { layoutOf, withLayout } from '../view-params.ts'

const layouts: Readonly<Record<FleetLayout, string>> = {
  single: t`Machine`,
  panels: t`Panels`,
  grid: t`Grid of machines`,
  units: t`Grid of work units`,
  map: t`Map`,
}

/** On the button, beside which there is little room. */
const shortNames: Readonly<Record<FleetLayout, string>> = {
  ...layouts,
  grid: t`Grid`,
  units: t`Work units`,
}

function useClientCount(): number {
  return useSelector(useSystem().fleet, snapshot =>
    selectOnlyId(snapshot) === undefined ? selectShownIds('usual')(snapshot).length : 1,
  )
}

/** The layout in the address, else the one chosen last, else the one that suits the number of clients. */
export function useFleetLayout(): FleetLayout {
  const { layout } = useSelector(useSystem().preferences, selectFleetView)
  const clients = useClientCount()
  const [params] = useSearchParams()
  return layoutFor(layoutOf(params), layout, clients)
}

function entriesFor(layout: FleetLayout, clients: number): readonly MenuEntry[] {
  return [
    ...Object.entries(layouts)
      .filter(([id]) => (id !== 'single' || clients === 1) && (id !== 'map' || layout === 'map' || hasMap(clients)))
      .map(([id, label]) => ({ id, label })),
    ...(layout === 'panels'
      ? [
          {
            id: 'collapse',
            label: t`Collapse all panels`,
            icon: 'chevron-up',
            startsGroup: true,
            isAction: true,
          } as const,
          { id: 'expand', label: t`Expand all panels`, icon: 'chevron-down', isAction: true } as const,
        ]
      : []),
  ]
}

/** Chooses between panels, grids and the map, and collapses all panels. */
export function ViewMenu() {
  const { preferences } = useSystem()
  const layout = useFleetLayout()
  const clients = useClientCount()
  const view = useSelector(preferences, selectFleetView)
  const [, setParams] = useSearchParams()
  const keep = (change: Partial<FleetView>): void =>
    preferences.send({ type: 'preferences.change', change: { fleetView: { ...view, ...change } } })
  const choose = (id: FleetLayout): void => {
    keep({ layout: id })
    setParams(now => withLayout(now, id), { replace: true, preventScrollReset: true })
  }
  return (
    <MenuButton
      label={t`View: ${layouts[layout]}`}
      icon="rows"
      entries={() => entriesFor(layout, clients)}
      chosen={[layout]}
      preload={() => {
        for (const id of ['grid', 'units'] as const) preloadLayout(id)
      }}
      onChoose={id => {
        if (isFleetLayout(id)) choose(id)
        else keep({ collapsed: collapseAll(id === 'collapse') })
      }}
    >
      {shortNames[layout]}
    </MenuButton>
  )
}
