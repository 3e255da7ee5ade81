import { t } from '@lingui/core/macro'
import { useRef, useState, type ReactNode } from 'react'
import { Pressable } from '../actions/button.tsx'
import { classNames } from '../class-names.ts'
import { lazyDialog } from '../feedback/lazy-component.tsx'
import { Icon, type IconName } from '../icons/icon.tsx'
import buttons from '../actions/button.module.css'

import type { MenuContent, MenuEntry } from './menu-popover.tsx'

const MenuPopover = lazyDialog(
  () => import('./menu-popover.tsx'),
  module => module.MenuPopover,
  t`The menu`,
)

type Props = Omit<MenuContent, 'entries'> & {
  readonly label: string
  readonly icon: IconName
  /** Text beside the icon, for a menu that shows the current choice. */
  readonly children?: ReactNode
  /** Called when the menu opens. */
  readonly entries: () => readonly MenuEntry[]
  readonly onChoose: (id: string) => void
  /** Called when the pointer or the focus is on the button: fetches what the entries need. */
  readonly preload?: () => void
}

export function MenuButton({ label, icon, children, entries, onChoose, preload, ...choices }: Props) {
  const [isOpen, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const hasText = children !== undefined
  return (
    <>
      <Pressable
        ref={trigger}
        label={label}
        opens="menu"
        isOpen={isOpen}
        tooltip={{ text: isOpen || hasText ? undefined : label }}
        className={classNames(buttons['button'], hasText ? buttons['quiet'] : buttons['icon-only'])}
        preload={() => {
          MenuPopover.preload()
          preload?.()
        }}
        onPress={() => setOpen(true)}
      >
        <Icon name={icon} />
        {hasText ? <span className={buttons['label']}>{children}</span> : undefined}
      </Pressable>
      {isOpen ? (
        <MenuPopover
          label={label}
          entries={entries()}
          {...choices}
          trigger={trigger}
          onChoose={onChoose}
          onClose={() => setOpen(false)}
          onUnavailable={() => setOpen(false)}
        />
      ) : undefined}
    </>
  )
}
