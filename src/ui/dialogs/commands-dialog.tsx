import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { Autocomplete } from 'react-aria-components/Autocomplete'
import { Input } from 'react-aria-components/Input'
import { TextField } from 'react-aria-components/TextField'
import { useLocation, useNavigate } from 'react-router-dom'
import { pathPart } from '../../folding/address/web-address.ts'
import { projectOf, projectTitle } from '../../folding/unit/unit-progress.ts'
import { selectName, selectUnits } from '../../machines/connection/client/client.selectors.ts'
import {
  selectClientRef,
  selectOnlyId,
  selectShownIds,
  whyNotControllable,
  whyNothingToFinish,
} from '../../machines/connection/fleet/fleet.selectors.ts'
import type { System } from '../../machines/app/system.ts'
import { usePageServer } from '../hooks/server-context.ts'
import { useSystem } from '../hooks/system-context.ts'
import { Button } from '../parts/actions/button.tsx'
import fieldStyles from '../parts/fields/field.module.css'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { MenuContents, type MenuEntry } from '../parts/overlays/menu-popover.tsx'
import { useJournal } from '../journal/journal-context.ts'
import { SaveDialog } from '../journal/save-dialog.tsx'
import { requestSignOut } from '../screens/account/sign-out.ts'
import { machineTabs } from '../screens/machine/machine-top.tsx'
import { fleetActions } from '../screens/machines/top/fleet-actions.tsx'
import { clientMenu } from '../screens/machines/client/client-menu.tsx'
import { controls } from '../screens/machines/client/fold-controls.tsx'
import { requestState, requestStates } from '../screens/machines/client/request-state.ts'
import { stateBlocker } from '../screens/machines/client/state-blocker.ts'
import { usePageMenu, type PageMenuProps } from '../shell/header-menu-popover.tsx'
import { mainEntries, SCHEDULES } from '../shell/main-menu.tsx'

type Command = MenuEntry & { readonly run: () => unknown }
type Navigate = (path: string) => unknown

/** More are found by typing on. */
const MOST_SHOWN = 40

function place(navigate: Navigate, label: string, to: string, icon: NonNullable<MenuEntry['icon']>): Command {
  return { id: to, label, icon, leadsTo: to, run: () => navigate(to) }
}

/** What can be asked of a client, its page and its units. */
function commandsOf(system: System, id: string, navigate: Navigate): readonly Command[] {
  const client = selectClientRef(id)(system.fleet.getSnapshot())
  if (client === undefined) return []
  const snapshot = client.getSnapshot()
  const title = selectName(snapshot)
  const named = (what: string): string => t`${title}: ${what}`
  const { entries, choose } = clientMenu(client, system, navigate)
  const base = `/${pathPart(id)}`
  return [
    ...controls.map(({ state, icon, label }) => ({
      id: `${state} ${id}`,
      label: label(title),
      icon,
      blockedBecause: stateBlocker(client, system, state),
      run: () => requestState(client, system, state),
    })),
    ...machineTabs.map(({ path, title: what }) => place(navigate, named(what), `${base}${path}`, 'machines')),
    ...entries()
      .filter(({ leadsTo }) => leadsTo === undefined)
      .map(entry => ({ ...entry, id: `${entry.id} of ${id}`, label: named(entry.label), run: () => choose(entry.id) })),
    ...selectUnits(snapshot).flatMap(unit => {
      const project = projectOf(unit)
      return unit.id === undefined || project === undefined
        ? []
        : [place(navigate, named(projectTitle(project)), `/unit/${pathPart(unit.id)}`, 'units')]
    }),
  ]
}

function commandsOfAll(system: System): readonly Command[] {
  const fleet = system.fleet.getSnapshot()
  const ids = selectShownIds('usual')(fleet)
  return fleetActions.map(({ state, icon, allLabel }) => ({
    id: `${state} all`,
    label: allLabel,
    icon,
    blockedBecause:
      whyNotControllable(fleet) ?? (state === 'finish' ? whyNothingToFinish(undefined)(fleet) : undefined),
    run: () => requestStates(system, state, ids),
  }))
}

function usePlaces(navigate: Navigate): readonly Command[] {
  const system = useSystem()
  const { account, signIn } = system
  const hasServer = usePageServer() !== undefined
  const isSignedIn = account.getSnapshot().hasTag('signedIn')
  return [
    ...[...mainEntries, ...(hasServer ? [SCHEDULES] : [])].map(({ to, label, icon }) =>
      place(navigate, label, to, icon),
    ),
    place(navigate, t`Attention`, '/attention', 'attention'),
    place(navigate, t`Power`, '/stats/power', 'stats'),
    ...(isSignedIn
      ? [
          place(navigate, t`Account Settings`, '/account/settings', 'user'),
          place(navigate, t`Appearance`, '/account/appearance', 'contrast'),
          place(navigate, t`Teams`, '/account/teams', 'user'),
          {
            id: 'logout',
            label: t`Logout`,
            icon: 'logout',
            run: () => requestSignOut(system),
          } as const,
        ]
      : [{ id: 'login', label: t`Login`, icon: 'user', run: () => signIn.send({ type: 'signIn.open' }) } as const]),
  ]
}

/** All words of the text are in the label. */
function matches({ label }: Command, words: readonly string[]): boolean {
  const searched = label.toLocaleLowerCase()
  return words.every(word => searched.includes(word))
}

type Props = Omit<PageMenuProps, 'onFind' | 'onSave'> & { readonly onLeave: () => void }

/** All commands and places by their names: first those of the machine that is shown, or that is the only one. */
export function CommandsDialog({ onLeave, ...props }: Props) {
  const system = useSystem()
  const navigate = useNavigate()
  const journal = useJournal()
  const { pathname } = useLocation()
  const [text, setText] = useState('')
  const [isSaving, setSaving] = useState(false)
  const page = usePageMenu({ ...props, onSave: () => setSaving(true) })
  const places = usePlaces(navigate)
  if (isSaving && journal !== undefined) return <SaveDialog journal={journal} onLeave={onLeave} />

  const fleet = system.fleet.getSnapshot()
  const [, named = ''] = pathname.split('/')
  const ids = selectShownIds('usual')(fleet)
  const shown = ids.find(id => pathPart(id) === named) ?? selectOnlyId(fleet)
  const ofPage = page.entries.flatMap(({ submenu, ...entry }) =>
    (submenu?.entries ?? [entry]).map(one => ({
      ...one,
      startsGroup: false,
      label: submenu === undefined ? one.label : `${entry.label}: ${one.label}`,
      run: () => page.choose(one.id),
    })),
  )
  const words = text.toLocaleLowerCase().split(/\s+/).filter(Boolean)
  const found: Command[] = []
  const add = (commands: readonly Command[]): void => {
    found.push(...commands.filter(command => matches(command, words)).slice(0, MOST_SHOWN - found.length))
  }
  if (shown !== undefined) add(commandsOf(system, shown, navigate))
  for (const commands of [places, commandsOfAll(system), ofPage]) add(commands)
  if (words.length > 0)
    for (const id of ids) {
      if (found.length >= MOST_SHOWN) break
      if (id !== shown) add(commandsOf(system, id, navigate))
    }
  return (
    <Dialog
      title={t`Find a command or a place`}
      onLeave={onLeave}
      footer={<Button onPress={onLeave}>{t`Close`}</Button>}
    >
      <Autocomplete inputValue={text} onInputChange={setText}>
        <TextField aria-label={t`Find a command or a place`} autoFocus className={fieldStyles['frame'] ?? ''}>
          <Input className={fieldStyles['input'] ?? ''} />
        </TextField>
        <p role="status" className="quiet type-3">
          {found.length === 0 ? t`No matches.` : undefined}
        </p>
        <MenuContents
          label={t`Commands and places`}
          entries={found}
          onChoose={id => {
            const command = found.find(one => one.id === id)
            if (id !== 'save') onLeave()
            command?.run()
          }}
        />
      </Autocomplete>
    </Dialog>
  )
}
