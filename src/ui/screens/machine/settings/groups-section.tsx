import { t } from '@lingui/core/macro'
import { useSelector } from '../../../hooks/use-selector.ts'
import { useState } from 'react'
import { truncate } from '../../../../folding/text/format.ts'
import type { ClientInfo } from '../../../../protocol/client/client-data.ts'
import { groupTitle, groupTitleOf } from '../../../../folding/client/group.ts'
import { settingsSystemId } from '../../../../machines/connection/client-settings/client-settings.events.ts'
import { deleteGroupQuestion } from '../../../../machines/connection/client-settings/client-settings.questions.ts'
import {
  selectGroupNames,
  selectShownGroup,
} from '../../../../machines/connection/client-settings/client-settings.selectors.ts'
import { Button } from '../../../parts/actions/button.tsx'
import { Tabs } from '../../../parts/actions/tabs.tsx'
import { FieldHelp } from '../../../parts/fields/field-help.tsx'
import { useSystem } from '../../../hooks/system-context.ts'
import { selectInfo } from '../../../../machines/connection/client/client.selectors.ts'
import { useClient, useClientSelector } from '../../../hooks/client-context.ts'
import { AddGroupDialog } from './add-group-dialog.tsx'
import { GroupSettings } from './group-settings.tsx'
import { useDraft, useSettings } from './settings-context.ts'
import styles from './settings.module.css'

const LONGEST_TAB = 32

/** Tab ids must not be empty, but the default group's name is. */
function tabOf(group: string): string {
  return `group ${group}`
}
function groupOfTab(tab: string): string {
  return tab.slice('group '.length)
}

/** Long names are truncated, unless that makes two of them equal. */
function tabLabel(name: string, names: readonly string[], info: ClientInfo | undefined): string {
  const short = truncate(groupTitleOf(info, name), LONGEST_TAB)
  const isTaken = names.some(other => other !== name && truncate(groupTitleOf(info, other), LONGEST_TAB) === short)
  return isTaken ? groupTitle(name) : short
}

function GroupActions({ shown }: { readonly shown: string }) {
  const settings = useSettings()
  const { dialogs } = useSystem()
  const id = useClientSelector(({ context }) => context.id)
  const names = useSelector(useDraft(), selectGroupNames)
  const [isAdding, setAdding] = useState(false)
  return (
    <div className="row gap-2-3">
      <Button
        icon="trash"
        isSmall
        blockedBecause={shown === '' ? t`The default group cannot be deleted.` : undefined}
        onPress={() => dialogs.send({ type: 'dialogs.ask', dialog: deleteGroupQuestion(settingsSystemId(id), shown) })}
      >
        {t`Delete`}
      </Button>
      <Button icon="plus" isSmall onPress={() => setAdding(true)}>
        {t`Add`}
      </Button>
      {isAdding ? (
        <AddGroupDialog
          names={names}
          onLeave={() => setAdding(false)}
          onAdd={typed => {
            settings.send({ type: 'settings.addGroup', typed })
            setAdding(false)
          }}
        />
      ) : undefined}
    </div>
  )
}

/** A tab for each resource group. */
export function GroupsSection() {
  const settings = useSettings()
  const names = useSelector(useDraft(), selectGroupNames)
  const shown = useSelector(settings, selectShownGroup)
  const info = useSelector(useClient(), selectInfo)
  return (
    <section className={styles['groups']} aria-label={t`Resource groups`}>
      <div className="row between gap-2">
        <span className="line gap-1 type-5 strong anywhere">
          <h2>{t`Resource groups`}</h2>
          <FieldHelp
            about={t`Resource groups`}
            text={t`Resource groups divide a machine: each has its own resources, settings and work units, and is started and paused on its own. When a group is deleted, its work units move to the default group.`}
          />
        </span>
        <GroupActions shown={shown} />
      </div>
      <Tabs
        label={t`Resource groups`}
        selected={tabOf(shown)}
        onChange={tab => settings.send({ type: 'settings.showGroup', name: groupOfTab(tab) })}
        tabs={names.map(name => ({
          id: tabOf(name),
          label: tabLabel(name, names, info),
          content: <GroupSettings group={name} isAdvanced />,
        }))}
      />
    </section>
  )
}
