import { useEffect, useMemo } from 'react'
import { EmptyState } from '../parts/display/empty-state.tsx'
import { IconButton } from '../parts/actions/button.tsx'
import { JournalContext, usePlayer, useShownSystem } from '../journal/journal-context.ts'
import { followLooks } from '../shell/looks.ts'
import { shortcutOf } from '../shell/shortcuts.ts'
import { SystemContext } from '../hooks/system-context.ts'
import type { Desk } from './bridge.ts'
import { Inside } from './inside.tsx'
import styles from './inspector.module.css'

type Props = { readonly desk: Desk | undefined }

/** The whole of the inspector's own window. */
export const InspectorWindow = ({ desk }: Props) =>
  desk === undefined ? (
    <EmptyState icon="search" title="This inspector belongs to a page that is not there any more">
      Open it again from a page of Foldboard.
    </EmptyState>
  ) : (
    <JournalContext value={desk.journal}>
      <Shown desk={desk} />
    </JournalContext>
  )

const Shown = ({ desk }: { readonly desk: Desk }) => {
  const system = useShownSystem(desk.journal, desk.system)
  const watch = useMemo(() => desk.watch(system.app), [desk, system])
  const isReplay = usePlayer() !== undefined
  useEffect(() => followLooks(system.preferences, document.documentElement), [system])
  useCloseKeys(desk.close)
  return (
    <SystemContext value={system}>
      <main className={styles['panel']} data-dock="window" aria-label="Inspector">
        <div className={styles['head']}>
          <h1 className={styles['title']}>Inspector{isReplay ? ' of a recording' : ''}</h1>
          <IconButton icon="arrow-down" label="Back into the page" placement="bottom" onPress={desk.dock} />
          <IconButton icon="close" label="Close the inspector" placement="bottom" onPress={desk.close} />
        </div>
        <Inside key={isReplay ? 'recorded' : 'live'} watch={watch} isReplay={isReplay} />
      </main>
    </SystemContext>
  )
}

/** The keys that open it close it here too. */
const useCloseKeys = (close: () => void): void => {
  useEffect(() => {
    const hear = (event: KeyboardEvent): void => {
      if (shortcutOf(event, false) !== 'inspect') return
      event.preventDefault()
      close()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  }, [close])
}
