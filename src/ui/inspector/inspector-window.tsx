import { useEffect, useMemo } from 'react'
import { EmptyState } from '../parts/display/empty-state.tsx'
import { IconButton } from '../parts/actions/button.tsx'
import { JournalContext, usePlayer, useShownSystem } from '../journal/journal-context.ts'
import { applyAppearance } from '../shell/appearance.ts'
import { shortcutOf } from '../shell/shortcuts.ts'
import { SystemContext } from '../hooks/system-context.ts'
import type { InspectorBridge } from './bridge.ts'
import { InspectorPanes } from './inspector-panes.tsx'
import styles from './inspector.module.css'

type Props = { readonly bridge: InspectorBridge | undefined }

/** The root component of the inspector's window. */
export function InspectorWindow({ bridge }: Props) {
  return bridge === undefined ? (
    <EmptyState icon="search" title="The page of this inspector was closed">
      Open the inspector again from a page of Foldboard.
    </EmptyState>
  ) : (
    <JournalContext value={bridge.journal}>
      <Shown bridge={bridge} />
    </JournalContext>
  )
}

function Shown({ bridge }: { readonly bridge: InspectorBridge }) {
  const system = useShownSystem(bridge.journal, bridge.system)
  const watch = useMemo(() => bridge.watch(system.app), [bridge, system])
  const isReplay = usePlayer() !== undefined
  useEffect(() => applyAppearance(system.preferences, document.documentElement), [system])
  useCloseKeys(bridge.close)
  return (
    <SystemContext value={system}>
      <main lang="en" className={styles['panel']} data-dock="window" aria-label="Inspector">
        <div className={styles['head']}>
          <h1 className="grow type-5 strong">Inspector{isReplay ? ' of a recording' : ''}</h1>
          <IconButton icon="arrow-down" label="Back into the page" placement="bottom" onPress={bridge.dock} />
          <IconButton icon="close" label="Close the inspector" placement="bottom" onPress={bridge.close} />
        </div>
        <InspectorPanes key={isReplay ? 'recorded' : 'live'} watch={watch} isReplay={isReplay} />
      </main>
    </SystemContext>
  )
}

/** The shortcut that opens the inspector also closes it here. */
function useCloseKeys(close: () => void): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (shortcutOf(event, false) !== 'inspect') return
      event.preventDefault()
      close()
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [close])
}
