import type { RefObject } from 'react'
import {
  Keyboard,
  Menu,
  MenuItem,
  MenuSection,
  Popover,
  RootMenuTriggerStateContext,
  Separator,
  SubmenuTrigger,
} from 'react-aria-components/Menu'
import { useMenuTriggerState } from 'react-stately/useMenuTriggerState'
import { useMedia } from '../../hooks/use-media.ts'
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
  /** The keys that do the same. */
  readonly keys?: readonly string[]
  /** The menu that it opens. */
  readonly submenu?: MenuContent
}

export type MenuContent = {
  readonly entries: readonly MenuEntry[]
  /** Ids of the selected entries, in a menu with a selection. */
  readonly chosen?: readonly string[] | undefined
  readonly choosesSeveral?: boolean
  /** Although several can be chosen. */
  readonly closesOnChoice?: boolean
}

type Props = MenuContent & {
  readonly label: string
  readonly trigger: RefObject<HTMLElement | null>
  readonly onChoose: (id: string) => void
  readonly onClose: () => void
}

type Choices = Pick<MenuContent, 'chosen'> & Pick<Props, 'onChoose'>

function itemOf(entry: MenuEntry, chosen: MenuContent['chosen']) {
  return (
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
      {entry.keys === undefined ? undefined : (
        <Keyboard className={styles['keys'] ?? ''}>{entry.keys.join('+')}</Keyboard>
      )}
      {entry.submenu === undefined ? undefined : <Icon name="chevron-right" />}
    </MenuItem>
  )
}

function itemsOf(entries: readonly MenuEntry[], { chosen, onChoose }: Choices) {
  return entries.flatMap(entry => [
    ...(entry.startsGroup === true ? [<Separator key={`${entry.id}-line`} className={styles['line'] ?? ''} />] : []),
    entry.submenu === undefined ? (
      itemOf(entry, chosen)
    ) : (
      <SubmenuTrigger key={entry.id}>
        {itemOf(entry, chosen)}
        <Submenu label={entry.label} {...entry.submenu} onChoose={onChoose} />
      </SubmenuTrigger>
    ),
  ])
}

/** Beside its entry, or below it where the window is too narrow for two menus. */
const NARROW = '(width <= 520px)'

function Submenu(props: ContentProps) {
  const isNarrow = useMedia(NARROW)
  return (
    <Popover className={styles['popover'] ?? ''} offset={0} {...(isNarrow ? { placement: 'bottom end' as const } : {})}>
      <MenuContents {...props} />
    </Popover>
  )
}

type ContentProps = MenuContent & Pick<Props, 'label' | 'onChoose'> & { readonly autoFocus?: 'first' }

/** The entries of a menu, or what a field above them leaves of them. */
export function MenuContents({
  label,
  entries,
  chosen,
  choosesSeveral = false,
  closesOnChoice,
  onChoose,
  ...props
}: ContentProps) {
  const choices = chosen === undefined ? [] : entries.filter(({ isAction }) => isAction !== true)
  return (
    <Menu aria-label={label} {...props} className={styles['menu'] ?? ''} onAction={key => onChoose(String(key))}>
      {choices.length === 0 ? undefined : (
        <MenuSection
          aria-label={label}
          selectionMode={choosesSeveral ? 'multiple' : 'single'}
          selectedKeys={chosen ?? []}
          {...(closesOnChoice === undefined ? {} : { shouldCloseOnSelect: closesOnChoice })}
        >
          {itemsOf(choices, { chosen, onChoose })}
        </MenuSection>
      )}
      {itemsOf(
        entries.filter(entry => !choices.includes(entry)),
        { chosen, onChoose },
      )}
    </Menu>
  )
}

/** The open menu. A separate module, so that its code is loaded when a menu is first opened. */
export function MenuPopover({ label, trigger, onClose, ...content }: Props) {
  const onOpenChange = (isOpen: boolean): void => {
    if (!isOpen) onClose()
  }
  return (
    <RootMenuTriggerStateContext value={useMenuTriggerState({ isOpen: true, onOpenChange })}>
      <Popover
        aria-label={label}
        triggerRef={trigger}
        isOpen
        placement="bottom end"
        offset={4}
        className={styles['popover'] ?? ''}
        onOpenChange={onOpenChange}
      >
        <MenuContents label={label} autoFocus="first" {...content} />
      </Popover>
    </RootMenuTriggerStateContext>
  )
}
