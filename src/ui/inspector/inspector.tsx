import { useEffect, useLayoutEffect, useState } from 'react'
import { IconButton } from '../parts/actions/button.tsx'
import { usePlayer } from '../journal/journal-context.ts'
import { useSystem } from '../hooks/system-context.ts'
import { useMedia } from '../hooks/use-media.ts'
import { InspectorPanes } from './inspector-panes.tsx'
import type { InspectorLayout } from './inspector-layout.ts'
import styles from './inspector.module.css'
import { largestSize, ResizeHandle } from './resize-handle.tsx'
import { useOwnWindow, type OwnWindow } from './use-own-window.ts'
import { useWatch } from './use-watch.ts'

type Props = {
  readonly layout: InspectorLayout
  readonly onLayout: (layout: InspectorLayout) => void
  readonly onClose: () => void
}

const NARROW = '(width <= 800px)'
/** Wide enough for the header beside the panel. */
const BROAD = '(width >= 1280px)'
const SMALLEST = 300

/** Shows every actor with its state, context and events, and sends events. */
export function Inspector(props: Props) {
  const ownWindow = useOwnWindow(props.onClose)
  return ownWindow.isOpen ? undefined : <Panel {...props} ownWindow={ownWindow} />
}

function Panel({ layout, onLayout, onClose, ownWindow }: Props & { readonly ownWindow: OwnWindow }) {
  const watch = useWatch(useSystem().app)
  const isSheet = useMedia(NARROW)
  const isReplay = usePlayer() !== undefined
  const hasRoomAside = useMedia(BROAD)
  const dock = hasRoomAside ? layout.dock : 'bottom'
  const size = Math.min(layout.size[dock], largestSize(dock, SMALLEST))
  useDockedSpace(isSheet ? undefined : dock, size)
  useRestoredFocus()
  return (
    <aside
      aria-label="Inspector"
      lang="en"
      className={styles['panel']}
      data-dock={isSheet ? 'sheet' : dock}
      {...(isReplay ? { 'data-replay': '' } : {})}
      style={isSheet ? {} : dock === 'side' ? { inlineSize: size } : { blockSize: size }}
    >
      {isSheet ? undefined : (
        <ResizeHandle
          dock={dock}
          size={size}
          smallest={SMALLEST}
          onResize={next => onLayout({ ...layout, size: { ...layout.size, [dock]: next } })}
        />
      )}
      <div className={styles['head']}>
        <h2 className="grow type-5 strong">Inspector</h2>
        {isSheet || !hasRoomAside ? undefined : (
          <IconButton
            icon={dock === 'side' ? 'arrow-down' : 'chevron-right'}
            label={dock === 'side' ? 'Dock at the bottom' : 'Dock at the side'}
            placement="bottom"
            onPress={() => onLayout({ ...layout, dock: dock === 'side' ? 'bottom' : 'side' })}
          />
        )}
        {isSheet ? undefined : (
          <IconButton
            icon="external"
            label="Open in a window"
            placement="bottom"
            autoFocus={ownWindow.wasOpen}
            onPress={ownWindow.open}
          />
        )}
        <IconButton
          icon="close"
          label="Close the inspector"
          placement="bottom"
          autoFocus={!ownWindow.wasOpen || isSheet}
          onPress={onClose}
        />
      </div>
      <p role="alert" className={styles['refusal']}>
        {ownWindow.isRefused ? 'The browser blocked the window. Allow pop-ups for this page, then try again.' : ''}
      </p>
      <InspectorPanes watch={watch} isReplay={isReplay} />
    </aside>
  )
}

/** Reserves space for the docked panel. */
function useDockedSpace(dock: InspectorLayout['dock'] | undefined, size: number): void {
  useLayoutEffect(() => {
    if (dock === undefined) return
    const name = dock === 'side' ? '--dock-side' : '--dock-bottom'
    document.documentElement.style.setProperty(name, `${size}px`)
    return () => {
      document.documentElement.style.removeProperty(name)
    }
  }, [dock, size])
}

/** Returns the focus on close. */
function useRestoredFocus(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    },
    [before],
  )
}
