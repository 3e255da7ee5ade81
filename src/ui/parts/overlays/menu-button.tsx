import { t } from '@lingui/core/macro'
import { useRef, useState, type ReactNode, type RefObject } from 'react'
import { Pressable } from '../actions/button.tsx'
import { classNames } from '../class-names.ts'
import { lazyDialog } from '../feedback/lazy-component.tsx'
import { Icon, type IconName } from '../icons/icon.tsx'
import buttons from '../actions/button.module.css'

import type { MenuContent, MenuEntry } from './menu-popover.tsx'

const MenuPopover = lazyDialog(() => import('./menu-popover.tsx').then(m => m.MenuPopover), t`The menu`)

/** What a menu gets of the button that opened it. */
type Opened = {
  readonly trigger: RefObject<HTMLButtonElement | null>
  readonly onClose: () => void
  readonly onUnavailable: () => void
}

type TriggerProps<Content> = {
  readonly label: string
  readonly icon: IconName
  /** Text beside the icon, for a menu that shows the current choice. */
  readonly children?: ReactNode
  /** Called when the pointer or the focus is on the button: fetches what the menu needs. */
  readonly preload?: () => void
  readonly Menu: (props: Content & Opened) => ReactNode
  readonly content: Content
}

/** A button that opens a menu, whose code is loaded then. */
export function MenuTrigger<Content extends object>({
  label,
  icon,
  children,
  preload,
  Menu,
  content,
}: TriggerProps<Content>) {
  const [isOpen, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const hasText = children !== undefined
  const close = (): void => setOpen(false)
  return (
    <>
      <Pressable
        ref={trigger}
        label={label}
        opens="menu"
        isOpen={isOpen}
        tooltip={{ text: isOpen || hasText ? undefined : label }}
        className={classNames(buttons['button'], hasText ? buttons['quiet'] : buttons['icon-only'])}
        preload={preload}
        onPress={() => setOpen(true)}
      >
        <Icon name={icon} />
        {hasText ? <span className={buttons['label']}>{children}</span> : undefined}
      </Pressable>
      {isOpen ? <Menu {...content} trigger={trigger} onClose={close} onUnavailable={close} /> : undefined}
    </>
  )
}

type Entries = Omit<MenuContent, 'entries'> & {
  readonly label: string
  /** Called when the menu opens. */
  readonly entries: () => readonly MenuEntry[]
  readonly onChoose: (id: string) => void
}

function EntriesMenu({ entries, ...menu }: Entries & Opened) {
  return <MenuPopover {...menu} entries={entries()} />
}

type Props = Entries & Omit<TriggerProps<Entries>, 'Menu' | 'content'>

export function MenuButton({ icon, children, preload, ...content }: Props) {
  return (
    <MenuTrigger
      label={content.label}
      icon={icon}
      preload={() => {
        MenuPopover.preload()
        preload?.()
      }}
      Menu={EntriesMenu}
      content={content}
    >
      {children}
    </MenuTrigger>
  )
}
