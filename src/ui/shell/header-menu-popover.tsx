import { t } from '@lingui/core/macro'
import type { RefObject } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { ThemePreference } from '../../machines/app/preferences/preferences.events.ts'
import { isCompact } from '../../machines/app/preferences/preferences.selectors.ts'
import { usePageServer } from '../hooks/server-context.ts'
import { useSystem } from '../hooks/system-context.ts'
import { useConnectionDialogs } from '../hooks/use-connection-dialogs.ts'
import { useMedia } from '../hooks/use-media.ts'
import { useSelector } from '../hooks/use-selector.ts'
import { useJournal } from '../journal/journal-context.ts'
import { helpPath } from '../screens/help/guide.ts'
import { MenuPopover, type MenuEntry } from '../parts/overlays/menu-popover.tsx'
import { useLanguages } from './language.ts'
import { pageKeys } from './shortcuts.ts'

type Part = {
  readonly entries: readonly MenuEntry[]
  /** What the entries do, by their ids; ids that are not here belong to another part. */
  readonly actions: Readonly<Record<string, () => void>>
}

/** Theme, density and width, applied immediately; stored on this device. */
function useAppearance(): Part {
  const { preferences } = useSystem()
  const theme = useSelector(preferences, ({ context }) => context.shown.theme)
  const compact = useSelector(preferences, isCompact)
  const wide = useSelector(preferences, ({ context }) => context.shown.wide)
  const choose = (chosen: ThemePreference) => () =>
    preferences.send({ type: 'preferences.change', change: { theme: chosen } })
  return {
    entries: [
      {
        id: 'appearance',
        label: t`Appearance`,
        icon: theme === 'auto' ? 'contrast' : theme === 'dark' ? 'moon' : 'sun',
        startsGroup: true,
        submenu: {
          entries: [
            { id: 'auto', label: t`System`, icon: 'contrast' },
            { id: 'light', label: t`Light`, icon: 'sun' },
            { id: 'dark', label: t`Dark`, icon: 'moon' },
            { id: 'compact', label: t`Compact`, icon: 'rows', startsGroup: true },
            { id: 'wide', label: t`Wide`, icon: 'widen' },
          ],
          chosen: [theme, ...(compact ? ['compact'] : []), ...(wide ? ['wide'] : [])],
          choosesSeveral: true,
        },
      },
    ],
    actions: {
      auto: choose('auto'),
      light: choose('light'),
      dark: choose('dark'),
      compact: () => preferences.send({ type: 'preferences.change', change: { compact: !compact } }),
      wide: () => preferences.send({ type: 'preferences.change', change: { wide: !wide } }),
    },
  }
}

function useRecordings(onSave: () => void): Part {
  const journal = useJournal()
  if (journal === undefined) return { entries: [], actions: {} }
  return {
    entries: [
      {
        id: 'recordings',
        label: t`Recordings`,
        icon: 'history',
        startsGroup: true,
        submenu: {
          entries: [
            { id: 'lookBack', label: t`Replay this session`, icon: 'history' },
            { id: 'save', label: t`Save a recording…`, icon: 'download', startsGroup: true },
            { id: 'open', label: t`Open a recording…`, icon: 'upload' },
          ],
        },
      },
    ],
    actions: { lookBack: journal.replaySession, save: onSave, open: journal.open },
  }
}

const roleNames = { viewer: t`Viewer`, operator: t`Operator`, administrator: t`Administrator` } as const

/** Who this page is with at its server: name, role, server and version, and the way out. */
function useServerPart(): Part {
  const session = usePageServer()?.session
  const sessionData = useSelector(session, snapshot => (snapshot === undefined ? undefined : snapshot.context.session))
  if (sessionData === undefined) return { entries: [], actions: {} }
  const { name, role, server, canSignOut } = sessionData
  const entries: readonly MenuEntry[] = [
    { id: 'who', label: t`${name}, ${roleNames[role]}`, icon: 'user', blockedBecause: t`Your role at this server` },
    {
      id: 'version',
      label: t`Server ${server.name}`,
      icon: 'connect',
      blockedBecause: t`Foldboard server ${server.version}`,
    },
    ...(role === 'administrator' ? [{ id: 'enroll', label: t`Enroll an account…`, icon: 'user' } as const] : []),
    {
      id: 'signOut',
      label: t`Sign out of the server`,
      icon: 'logout',
      startsGroup: true,
      blockedBecause: canSignOut ? undefined : t`Nobody has to sign in here, or a proxy signs you in.`,
    },
  ]
  return {
    entries: [
      {
        id: 'server',
        label: t`Server ${server.name}, signed in as ${name}`,
        icon: 'user',
        startsGroup: true,
        submenu: { entries },
      },
    ],
    actions: {
      enroll: () => window.location.assign('/api/server/enroll'),
      signOut: () => session?.send({ type: 'session.do', task: { kind: 'signOut' } }),
    },
  }
}

export type PageMenuProps = {
  readonly onFind?: () => void
  readonly onShowShortcuts: () => void
  readonly onInspect: () => void
  readonly onShowWall: () => void
  readonly onSave: () => void
}

/** What concerns the whole page. */
export function usePageMenu({ onFind, onShowShortcuts, onInspect, onShowWall, onSave }: PageMenuProps) {
  const { connect, checkPage } = useConnectionDialogs()
  const navigate = useNavigate()
  const help = helpPath(useLocation().pathname)
  const languages = useLanguages()
  const isTouched = useMedia('(hover: none) and (pointer: coarse)')
  const [appearance, recordings, server] = [useAppearance(), useRecordings(onSave), useServerPart()]
  const entries: readonly MenuEntry[] = [
    ...(onFind === undefined
      ? []
      : [{ id: 'find', label: t`Find a command or a place`, icon: 'search', keys: pageKeys.commands } as const]),
    { id: 'connect', label: t`Connect to a client`, icon: 'connect', keys: pageKeys.connect },
    { id: 'check', label: t`Check the connection`, icon: 'connect' },
    { id: 'wall', label: t`Wall display`, icon: 'widen', keys: pageKeys.wall },
    ...appearance.entries,
    {
      id: 'language',
      label: t`Language`,
      icon: 'language',
      submenu: { entries: languages.entries(), chosen: [languages.chosen] },
    },
    ...server.entries,
    ...recordings.entries,
    { id: 'inspect', label: t`Inspector`, icon: 'search', keys: pageKeys.inspect },
    ...(isTouched
      ? []
      : [
          {
            id: 'shortcuts',
            label: t`Keyboard shortcuts`,
            icon: 'keyboard',
            keys: pageKeys.list,
            startsGroup: true,
          } as const,
        ]),
    { id: 'help', label: t`Help`, icon: 'help', leadsTo: help, startsGroup: isTouched },
    { id: 'about', label: t`About Foldboard`, icon: 'info', leadsTo: '/about' },
  ]
  const actions: Part['actions'] = {
    ...appearance.actions,
    ...recordings.actions,
    ...server.actions,
    ...(onFind === undefined ? {} : { find: onFind }),
    connect,
    check: checkPage,
    inspect: onInspect,
    wall: onShowWall,
    shortcuts: onShowShortcuts,
    help: () => void navigate(help),
    about: () => void navigate('/about'),
  }
  const choose = (id: string): void => {
    if (languages.isLanguage(id)) languages.choose(id)
    else actions[id]?.()
  }
  return { entries, choose }
}

type Props = PageMenuProps & { readonly trigger: RefObject<HTMLElement | null>; readonly onClose: () => void }

/** The open menu of the header. A separate module, loaded when the menu is first opened. */
export function HeaderMenuPopover({ trigger, onClose, ...props }: Props) {
  const { entries, choose } = usePageMenu(props)
  return <MenuPopover label={t`Menu`} entries={entries} trigger={trigger} onChoose={choose} onClose={onClose} />
}
