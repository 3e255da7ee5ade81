import type { RefObject } from 'react'
import { Menu, MenuItem, MenuSection, Popover, Separator } from 'react-aria-components/Menu'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './menu.module.css'

export type MenuEntry = {
  readonly id: string
  readonly label: string
  readonly icon?: IconName
  /** Why the entry is disabled; shown below its label. It stays focusable. */
  readonly blockedBecause?: string | undefined
  readonly href?: string
  /** The path of the screen that it opens, for prefetching. */
  readonly leadsTo?: string
  readonly isDangerous?: boolean
  /** Draws a separator above it. */
  readonly startsGroup?: boolean
  /** In a menu with a selection: it does something and cannot be selected. Such entries follow the others. */
  readonly isAction?: boolean
}

type Props = {
  readonly label: string
  readonly entries: readonly MenuEntry[]
  /** Ids of the selected entries, in a menu with a selection. */
  readonly chosen?: readonly string[] | undefined
  readonly choosesSeveral?: boolean
  readonly trigger: RefObject<HTMLElement | null>
  readonly onChoose: (id: string) => void
  readonly onClose: () => void
}

const itemOf = (entry: MenuEntry, chosen: Props['chosen']) => (
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
    <span className={styles['text']}>
      <bdi>{entry.label}</bdi>
      {entry.blockedBecause === undefined ? undefined : (
        <small className={styles['reason']}>{entry.blockedBecause}</small>
      )}
    </span>
    {chosen?.includes(entry.id) === true ? <Icon name="check" /> : undefined}
  </MenuItem>
)

const itemsOf = (entries: readonly MenuEntry[], chosen: Props['chosen']) =>
  entries.flatMap(entry => [
    ...(entry.startsGroup === true ? [<Separator key={`${entry.id}-line`} className={styles['line'] ?? ''} />] : []),
    itemOf(entry, chosen),
  ])

/** The open menu. A separate module, so that its code is loaded when a menu is first opened. */
export const MenuPopover = ({ label, entries, chosen, choosesSeveral = false, trigger, onChoose, onClose }: Props) => {
  const choices = chosen === undefined ? [] : entries.filter(({ isAction }) => isAction !== true)
  return (
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
      >
        {choices.length === 0 ? undefined : (
          <MenuSection
            aria-label={label}
            selectionMode={choosesSeveral ? 'multiple' : 'single'}
            selectedKeys={chosen ?? []}
          >
            {itemsOf(choices, chosen)}
          </MenuSection>
        )}
        {itemsOf(
          entries.filter(entry => !choices.includes(entry)),
          chosen,
        )}
      </Menu>
    </Popover>
  )
}
