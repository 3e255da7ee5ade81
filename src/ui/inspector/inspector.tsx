import { useEffect, useLayoutEffect, useState } from 'react'
import { IconButton } from '../parts/actions/button.tsx'
import { usePlayer } from '../journal/journal-context.ts'
import { useSystem } from '../hooks/system-context.ts'
import { useMedia } from '../hooks/use-media.ts'
import { Inside } from './inside.tsx'
import type { InspectorLook } from './inspector-host.tsx'
import styles from './inspector.module.css'
import { largestSize, ResizeHandle } from './resize-handle.tsx'
import { useOwnWindow, type OwnWindow } from './use-own-window.ts'
import { useWatch } from './use-watch.ts'

type Props = {
  readonly look: InspectorLook
  readonly onLook: (look: InspectorLook) => void
  readonly onClose: () => void
}

const NARROW = '(width <= 800px)'
/** The header still has its room beside the panel. */
const BROAD = '(width >= 1280px)'
const SMALLEST = 300

/** What goes on inside, while it goes on: every actor, what it holds, what it heard, and what it can be told. */
export const Inspector = (props: Props) => {
  const own = useOwnWindow(props.onClose)
  return own.isOpen ? undefined : <Panel {...props} own={own} />
}

const Panel = ({ look, onLook, onClose, own }: Props & { readonly own: OwnWindow }) => {
  const watch = useWatch(useSystem().app)
  const isSheet = useMedia(NARROW)
  const isReplay = usePlayer() !== undefined
  const canStandAside = useMedia(BROAD)
  const dock = canStandAside ? look.dock : 'bottom'
  const size = Math.min(look.size[dock], largestSize(dock, SMALLEST))
  useRoom(isSheet ? undefined : dock, size)
  useReturn()
  return (
    <aside
      aria-label="Inspector"
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
          onResize={next => onLook({ ...look, size: { ...look.size, [dock]: next } })}
        />
      )}
      <div className={styles['head']}>
        <h2 className={styles['title']}>Inspector</h2>
        {isSheet || !canStandAside ? undefined : (
          <IconButton
            icon={dock === 'side' ? 'arrow-down' : 'chevron-right'}
            label={dock === 'side' ? 'Dock at the bottom' : 'Dock at the side'}
            placement="bottom"
            onPress={() => onLook({ ...look, dock: dock === 'side' ? 'bottom' : 'side' })}
          />
        )}
        {isSheet ? undefined : (
          <IconButton
            icon="external"
            label="Open in a window"
            placement="bottom"
            autoFocus={own.wasOpen}
            onPress={own.open}
          />
        )}
        <IconButton
          icon="close"
          label="Close the inspector"
          placement="bottom"
          autoFocus={!own.wasOpen || isSheet}
          onPress={onClose}
        />
      </div>
      <p role="alert" className={styles['refusal']}>
        {own.isRefused
          ? 'The browser did not open a window. Allow this page to open windows, then press the button again.'
          : ''}
      </p>
      <Inside watch={watch} isReplay={isReplay} />
    </aside>
  )
}

/** What is docked takes its room from the page. */
const useRoom = (dock: InspectorLook['dock'] | undefined, size: number): void => {
  useLayoutEffect(() => {
    if (dock === undefined) return
    const name = dock === 'side' ? '--dock-side' : '--dock-bottom'
    document.documentElement.style.setProperty(name, `${size}px`)
    return () => {
      document.documentElement.style.removeProperty(name)
    }
  }, [dock, size])
}

/** Who had the focus before has it again afterwards. */
const useReturn = (): void => {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    },
    [before],
  )
}
