import { plural, t } from '@lingui/core/macro'
import { useEffect, useMemo } from 'react'
import { Dialog } from 'react-aria-components/Dialog'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import type { Finish } from '../../folding/fleet/finishes.ts'
import { pointsByDay } from '../../folding/fleet/ppd-history.ts'
import { formatPercent, formatPoints } from '../../folding/text/format.ts'
import { formatClock } from '../../folding/text/times.ts'
import { finishText, progressOf } from '../../folding/unit/unit-cells.ts'
import { projectOf, projectTitle } from '../../folding/unit/unit-progress.ts'
import { selectClientRef, selectFleetPpd, selectShownIds } from '../../machines/connection/fleet/fleet.selectors.ts'
import { selectAttentionCount } from '../../machines/incidents/incidents/incidents.selectors.ts'
import { ClientContext } from '../hooks/client-context.ts'
import { useClock, useSystem } from '../hooks/system-context.ts'
import { useFleetPoints } from '../hooks/use-ppd-history.ts'
import { useSelector } from '../hooks/use-selector.ts'
import { Button } from '../parts/actions/button.tsx'
import { Icon } from '../parts/icons/icon.tsx'
import { useFinishes } from '../screens/machines/charts/use-finishes.ts'
import { unitKey } from '../screens/machines/units/unit-access.ts'
import { UnitBar } from '../screens/machines/units/unit-cell.tsx'
import { useUnitAt } from '../screens/machines/units/use-unit.ts'
import { MoleculePicture } from '../screens/molecule/molecule-picture.tsx'
import { useFullScreen } from '../screens/viewer/use-full-screen.ts'
import { keepAwake } from './keep-awake.ts'
import styles from './wall.module.css'

/** Milliseconds for which each unit is shown. */
const TURN = 20_000

/** What a unit does, to be read from across a room. */
function Unit({ finish: { client, machine, unit } }: { readonly finish: Finish }) {
  const key = unitKey(unit, 0)
  const share = useUnitAt(key, progressOf)
  const ready = useUnitAt(key, finishText)
  return (
    <>
      <div className={styles['picture']} inert>
        {unit.id === undefined ? undefined : (
          <MoleculePicture client={client} unit={unit.id} className={styles['molecule']} />
        )}
      </div>
      <div className={styles['unit']}>
        <h2>
          <bdi>{machine}</bdi>
        </h2>
        <p>{projectTitle(projectOf(unit))}</p>
        <p className={styles['percent']}>{formatPercent(share)}</p>
        <UnitBar unit={key} />
        <p>{ready}</p>
      </div>
    </>
  )
}

function Scene({ finishes }: { readonly finishes: readonly Finish[] }) {
  const turn = useClock(now => Math.floor(now / TURN))
  const inTurn = useMemo(() => finishes.toSorted((a, b) => (a.key < b.key ? -1 : 1)), [finishes])
  const finish = inTurn[turn % Math.max(1, inTurn.length)]
  const client = useSelector(useSystem().fleet, selectClientRef(finish?.client ?? ''))
  return (
    <div className={styles['scene']}>
      {finish === undefined || client === undefined ? (
        <p className={styles['nothing']}>{t`No work unit is running.`}</p>
      ) : (
        <ClientContext key={finish.key} value={client}>
          <Unit finish={finish} />
        </ClientContext>
      )}
    </div>
  )
}

function Problems() {
  const count = useSelector(useSystem().incidents, selectAttentionCount)
  return count === 0 ? null : (
    <p className={styles['problems']}>
      <Icon name="attention" />
      {plural(count, { one: 'Attention: # incident', other: 'Attention: # incidents' })}
    </p>
  )
}

function Contents() {
  const { fleet } = useSystem()
  const ids = useSelector(fleet, selectShownIds('usual'))
  const ppd = useSelector(fleet, snapshot => formatPoints(selectFleetPpd(snapshot)))
  const { spans, until } = useFleetPoints(ids)
  const today = useMemo(() => pointsByDay(spans, until, 1).at(-1)?.points ?? 0, [spans, until])
  const { finishes } = useFinishes(ids)
  const next = finishes[0]
  return (
    <>
      <Scene finishes={finishes} />
      <div className={styles['foot']}>
        <dl className={styles['figures']}>
          <div>
            <dt>{t`Points today`}</dt>
            <dd>{formatPoints(today)}</dd>
          </div>
          <div>
            <dt>{t`Points per day`}</dt>
            <dd>{ppd}</dd>
          </div>
          {next === undefined ? undefined : (
            <div>
              <dt>{t`Next finish`}</dt>
              <dd>
                {formatClock(next.at)} <bdi className={styles['where']}>{next.machine}</bdi>
              </dd>
            </div>
          )}
        </dl>
        <Problems />
      </div>
    </>
  )
}

/** A full screen for a room: what folds now, in turn, the points of today, the next finish, and problems if there are any. */
export function Wall({ onLeave }: { readonly onLeave: () => void }) {
  useFullScreen(true, onLeave)
  useEffect(keepAwake, [])
  return (
    <ModalOverlay
      className={styles['overlay'] ?? ''}
      isOpen
      onOpenChange={isOpen => {
        if (!isOpen) onLeave()
      }}
    >
      <Modal className={styles['wall'] ?? ''}>
        <Dialog aria-label={t`Wall display`} className={styles['dialog'] ?? ''}>
          <div className={styles['close']}>
            <Button kind="quiet" icon="close" autoFocus onPress={onLeave}>
              {t`Close`}
            </Button>
          </div>
          <Contents />
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}
