import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { schedulesOf, subjectsOf, type Schedule } from '../../../folding/schedule/schedule.ts'
import { cpuCounts } from '../../../folding/schedule/parts.ts'
import type { SchedulesAnswer } from '../../../folding/schedule/server-answers.ts'
import { selectDraft, withDraft } from '../../../machines/server/schedule-editor/schedule-editor.selectors.ts'
import { whyNoControl } from '../../../machines/server/session/session.selectors.ts'
import { useServer } from '../../hooks/server-context.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { Button } from '../../parts/actions/button.tsx'
import { SubjectMenu, SubjectReason, subjectTitle } from '../../server/subject-line.tsx'
import { Section } from '../section.tsx'
import { DraftBar } from './draft-bar.tsx'
import { ownZone } from '../../../folding/schedule/time-zone.ts'
import type { Dragged } from './use-drag.ts'
import { WeekPicture, type WeekRow } from './week-picture.tsx'

/** Rows that are drawn at first. */
const MOST_ROWS = 50

type Props = { readonly answer: SchedulesAnswer }

/** A row for each client, and for each group of it that is decided apart. */
function rowsOf({ machines: clients, subjects }: SchedulesAnswer, schedules: readonly Schedule[]): readonly WeekRow[] {
  return clients.flatMap(client =>
    subjectsOf(
      schedules,
      client,
      name => client.groups.length === 0 || client.groups.includes(name) || cpuCounts(name) !== undefined,
    ).map(({ group }) => {
      const subject = subjects.find(each => each.machine === client.number && each.group === (group ?? null))
      const name = subjectTitle(client.name, group ?? null)
      return {
        key: `${client.number} ${group ?? ''} ${group === undefined ? '' : 'group'}`,
        name,
        schedules: schedulesOf(schedules, { machine: client.address, group }, client),
        title: (
          <>
            <SubjectMenu client={client.number} name={name} subject={subject} />
            {subject === undefined ? undefined : <SubjectReason subject={subject} />}
          </>
        ),
      }
    }),
  )
}

/** What is decided for each machine in the next seven days. Bands are dragged into a draft. */
export function MachinesWeek({ answer }: Props) {
  const { session, editor } = useServer()
  const draft = useSelector(editor, selectDraft)
  const blocked = useSelector(session, whyNoControl)
  const [showsAll, setShowsAll] = useState(false)
  const { schedules } = answer
  const drawn = withDraft(schedules, draft)
  const rows = rowsOf(answer, drawn)
  const zone = drawn[0]?.timeZone ?? ownZone()
  const zoneOf = (row: WeekRow): string => row.schedules[0]?.timeZone ?? zone
  const shown = showsAll ? rows : rows.slice(0, MOST_ROWS)
  const decided = shown.filter(row => row.schedules.length > 0)
  const others = shown.filter(row => row.schedules.length === 0)
  const savedAt = (id: string): number | undefined => {
    const at = schedules.findIndex(schedule => schedule.id === id)
    return at === -1 ? undefined : at
  }
  const mayDrag = (id: string): boolean => blocked === undefined && (draft === undefined || draft.id === id)
  const drop = ({ schedule, at, rule }: Dragged): void => {
    const place = savedAt(schedule.id)
    editor.send({
      type: 'editor.draw',
      schedule: { ...schedule, rules: schedule.rules.with(at, rule) },
      before: place === undefined ? undefined : schedules[place],
      at: place,
    })
  }
  const open = (id: string): void => {
    const schedule = schedules.find(each => each.id === id)
    if (draft?.id === id) editor.send({ type: 'editor.showForm' })
    else if (schedule !== undefined) editor.send({ type: 'editor.open', schedule, at: savedAt(id) })
  }
  return (
    <Section
      title={decided.length === 0 ? t`Machines` : t`Next seven days`}
      note={t`A person’s command stays in effect until the schedule’s next change, or for the chosen time.`}
    >
      {[...new Set(decided.map(zoneOf))].map(timeZone => (
        <WeekPicture
          key={timeZone}
          rows={decided.filter(row => zoneOf(row) === timeZone)}
          answer={answer}
          timeZone={timeZone}
          undecided={t`Left as it is`}
          isDraft={id => draft?.id === id}
          mayDrag={mayDrag}
          onDrop={drop}
          onOpen={blocked === undefined ? open : undefined}
        />
      ))}
      {others.length === 0 ? undefined : (
        <div role="group" aria-labelledby="undecided" className="row gap-2">
          <p id="undecided" className="quiet type-3 full-width">{t`No schedule decides.`}</p>
          {others.map(({ key, title }) => (
            <span key={key}>{title}</span>
          ))}
        </div>
      )}
      {rows.length > MOST_ROWS && !showsAll ? (
        <Button onPress={() => setShowsAll(true)}>{t`Show all machines`}</Button>
      ) : undefined}
      <DraftBar answer={answer} />
    </Section>
  )
}
