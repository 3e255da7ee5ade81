import { t } from '@lingui/core/macro'
import { useRef, useState, type ReactNode } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { classNames } from '../class-names.ts'
import { lazyDialog } from '../feedback/lazy-component.tsx'
import { Icon, type IconName } from '../icons/icon.tsx'
import buttons from '../actions/button.module.css'
import { WithTooltip } from './tooltip.tsx'
import type { MenuEntry } from './menu-popover.tsx'

const MenuPopover = lazyDialog(() => import('./menu-popover.tsx'), 'MenuPopover', t`The menu`)

type Props = {
  readonly label: string
  readonly icon: IconName
  /** Words beside the picture, for a menu that shows what is chosen. */
  readonly children?: ReactNode
  readonly chosen?: readonly string[] | undefined
  readonly choosesSeveral?: boolean
  /** Asked for when the menu opens, so that a closed menu costs nothing. */
  readonly entries: () => readonly MenuEntry[]
  readonly onChoose: (id: string) => void
}

export const MenuButton = ({ label, icon, children, chosen, choosesSeveral = false, entries, onChoose }: Props) => {
  const [isOpen, setOpen] = useState(false)
  const trigger = useRef<HTMLButtonElement>(null)
  const hasWords = children !== undefined
  return (
    <>
      <WithTooltip text={isOpen || hasWords ? undefined : label}>
        <AriaButton
          ref={trigger}
          aria-label={label}
          aria-haspopup="menu"
          aria-expanded={isOpen}
          className={classNames(buttons['button'], hasWords ? buttons['quiet'] : buttons['icon-only'])}
          onHoverStart={MenuPopover.preload}
          onFocus={MenuPopover.preload}
          onPress={() => setOpen(true)}
        >
          <Icon name={icon} />
          {hasWords ? <span className={buttons['label']}>{children}</span> : undefined}
        </AriaButton>
      </WithTooltip>
      {isOpen ? (
        <MenuPopover
          label={label}
          entries={entries()}
          chosen={chosen}
          choosesSeveral={choosesSeveral}
          trigger={trigger}
          onChoose={onChoose}
          onClose={() => setOpen(false)}
          onUnavailable={() => setOpen(false)}
        />
      ) : undefined}
    </>
  )
}
