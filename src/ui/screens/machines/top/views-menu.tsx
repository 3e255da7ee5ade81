import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useEffect } from 'react'
import { useSearchParams } from 'react-router-dom'
import { searchOf, viewParamsOf } from '../../../../folding/fleet/saved-views.ts'
import { selectFirstView, selectViews, selectViewWith } from '../../../../machines/fleet/views/views.selectors.ts'
import { useSystem } from '../../../hooks/system-context.ts'
import { MenuButton } from '../../../parts/overlays/menu-button.tsx'
import type { MenuEntry } from '../../../parts/overlays/menu-popover.tsx'

const VIEW = 'view:'

/** Shows a saved view, saves what is shown, and opens the list of views. */
export function ViewsMenu() {
  const { views } = useSystem()
  const saved = useSelector(views, selectViews)
  const [params, setParams] = useSearchParams()
  const current = useSelector(views, selectViewWith(viewParamsOf(params.toString())))
  const entries = (): readonly MenuEntry[] => [
    { id: 'all', label: t`All machines` },
    ...saved.views.map(({ name }) => ({ id: `${VIEW}${name}`, label: name })),
    { id: 'manage', label: t`Save or manage views…`, icon: 'edit', startsGroup: true, isAction: true },
  ]
  const choose = (id: string): void => {
    if (id === 'manage') views.send({ type: 'views.open' })
    else setParams(searchOf(saved.views.find(({ name }) => id === `${VIEW}${name}`)?.params ?? {}))
  }
  return (
    <MenuButton
      label={t`Views: ${current ?? t`none`}`}
      icon="eye"
      entries={entries}
      chosen={current === undefined ? (params.size === 0 ? ['all'] : []) : [`${VIEW}${current}`]}
      onChoose={choose}
    >
      {current ?? t`Views`}
    </MenuButton>
  )
}

/**
 * Begins with the default view when the screen is first opened without parameters, and keeps what is shown, so that the
 * way back to the clients leads to it.
 */
export function useRememberedView(): void {
  const { views } = useSystem()
  const [params, setParams] = useSearchParams()
  const search = params.toString()
  useEffect(() => {
    const first = search === '' ? searchOf(selectFirstView(views.getSnapshot()) ?? {}) : ''
    if (first !== '') setParams(first, { replace: true })
    else views.send({ type: 'views.shown', params: viewParamsOf(search) })
  }, [views, search, setParams])
}
