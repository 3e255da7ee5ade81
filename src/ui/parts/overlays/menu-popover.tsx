import type { RefObject } from 'react'
import { Menu, MenuItem, Popover, Separator } from 'react-aria-components/Menu'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './menu.module.css'

export type MenuEntry = {
  readonly id: string
  readonly label: string
  readonly icon?: IconName
  /** Why it cannot be chosen now. It can still be reached, and says this beneath its name. */
  readonly blockedBecause?: string | undefined
  readonly href?: string
  /** The path of the screen that it opens, which is fetched when a hand comes to it. */
  readonly leadsTo?: string
  readonly isDangerous?: boolean
  /** A line above it. */
  readonly startsGroup?: boolean
}

type Props = {
  readonly label: string
  readonly entries: readonly MenuEntry[]
  /** Ids of the entries that are chosen, in a menu that shows a choice; one of all, or several. */
  readonly chosen?: readonly string[] | undefined
  readonly choosesSeveral?: boolean
  readonly trigger: RefObject<HTMLElement | null>
  readonly onChoose: (id: string) => void
  readonly onClose: () => void
}

/** The open menu. A module of its own, so that it is loaded when a menu is first wanted. */
export const MenuPopover = ({ label, entries, chosen, choosesSeveral = false, trigger, onChoose, onClose }: Props) => (
  <Popover
    aria-label={label}
    triggerRef={trigger}
    isOpen
    placement="bottom end"
    offset={4}
    className={styles['popover'] ?? ''}
    onOpenChange={isOpen => {
      if (!isOpen) onClose()
    }}
  >
    <Menu
      aria-label={label}
      autoFocus="first"
      className={styles['menu'] ?? ''}
      onClose={onClose}
      onAction={key => onChoose(String(key))}
      {...(chosen === undefined
        ? {}
        : { selectionMode: choosesSeveral ? ('multiple' as const) : ('single' as const), selectedKeys: chosen })}
    >
      {entries.flatMap(entry => [
        ...(entry.startsGroup === true
          ? [<Separator key={`${entry.id}-line`} className={styles['line'] ?? ''} />]
          : []),
        <MenuItem
          key={entry.id}
          id={entry.id}
          textValue={entry.label}
          isDisabled={entry.blockedBecause !== undefined}
          className={styles['item'] ?? ''}
          {...(entry.leadsTo === undefined ? {} : { 'data-leads-to': entry.leadsTo })}
          {...(entry.isDangerous === true ? { 'data-danger': true } : {})}
          {...(entry.href === undefined ? {} : { href: entry.href })}
        >
          {entry.icon === undefined ? undefined : <Icon name={entry.icon} />}
          <span className={styles['words']}>
            {entry.label}
            {entry.blockedBecause === undefined ? undefined : (
              <small className={styles['reason']}>{entry.blockedBecause}</small>
            )}
          </span>
          {chosen?.includes(entry.id) === true ? <Icon name="check" /> : undefined}
        </MenuItem>,
      ])}
    </Menu>
  </Popover>
)
