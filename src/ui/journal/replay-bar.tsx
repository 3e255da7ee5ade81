import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import type { CSSProperties } from 'react'
import { createPortal } from 'react-dom'
import { useSelector } from '../hooks/use-selector.ts'
import { formatInterval, formatLocal, formatLocalShort } from '../../folding/text/times.ts'
import type { PlayerRef } from '../../machines/screens/player/player.machine.ts'
import {
  isAtEnd,
  isAtStart,
  selectEnd,
  selectFaultsAhead,
  selectMark,
} from '../../machines/screens/player/player.selectors.ts'
import { Button, IconButton } from '../parts/actions/button.tsx'
import { Slider } from '../parts/fields/slider.tsx'
import { Icon } from '../parts/icons/icon.tsx'
import { MenuButton } from '../parts/overlays/menu-button.tsx'
import styles from './replay-bar.module.css'
import { LeftToRight } from '../parts/left-to-right.tsx'

type Props = { readonly player: PlayerRef; readonly onClose: () => void }

const SPEEDS: readonly number[] = [1, 4, 16, 60]
function speedLabel(speed: number): string {
  return `${speed} ×`
}

function RecordingStatus({ player }: { player: PlayerRef }) {
  const start = useSelector(player, ({ context }) => context.timeline.from)
  const isReminderShown = useSelector(player, snapshot => snapshot.hasTag('notice'))
  const isSame = useSelector(player, ({ context }) => context.timeline.isExact)
  const mark = useSelector(player, selectMark)
  return (
    <p className={styles['status']}>
      <strong>{t`Recording from ${formatLocalShort(start)}`}</strong>
      <span role="status" data-reminds={isReminderShown} className={styles['note']}>
        {isReminderShown
          ? t`Not sent: this is a recording.`
          : isSame
            ? t`Nothing is sent to your machines.`
            : t`Recorded by another version: it may differ from what was shown.`}
      </span>
      {mark === undefined ? undefined : (
        <span className="color-failed anywhere">
          <Trans>
            Marked: <bdi lang="en">{mark.text}</bdi>
          </Trans>
        </span>
      )}
    </p>
  )
}

function Position({ player }: { player: PlayerRef }) {
  const [start, end, at] = [
    useSelector(player, ({ context }) => context.timeline.from),
    useSelector(player, selectEnd),
    useSelector(player, ({ context }) => context.at),
  ]
  const mark = useSelector(player, selectMark)
  const length = Math.max(1, end - start)
  const share = mark === undefined ? undefined : Math.min(1, Math.max(0, (mark.at - start) / length))
  return (
    <div
      dir="ltr"
      className={styles['position']}
      data-marked={mark !== undefined}
      style={{ '--mark': share } as CSSProperties}
    >
      <LeftToRight>
        <Slider
          label={t`${formatInterval(Math.round((at - start) / 1000))} of ${formatInterval(Math.round((end - start) / 1000))}`}
          value={at - start}
          maximum={length}
          valueText={formatLocal(at)}
          onChange={value => player.send({ type: 'player.seek', at: start + value })}
        />
      </LeftToRight>
    </div>
  )
}

function Controls({ player }: { player: PlayerRef }) {
  const plays = useSelector(player, snapshot => snapshot.hasTag('playing'))
  const speed = useSelector(player, ({ context }) => context.speed)
  const atStart = useSelector(player, isAtStart)
  const atEnd = useSelector(player, isAtEnd)
  const faults = useSelector(player, selectFaultsAhead)
  const mark = useSelector(player, selectMark)
  return (
    <div role="group" aria-label={t`Playback`} dir="ltr" className={styles['controls']}>
      <IconButton
        icon="chevron-left"
        label={t`Step back`}
        blockedBecause={atStart ? t`Already at the start.` : undefined}
        onPress={() => player.send({ type: 'player.step', direction: -1 })}
      />
      <IconButton
        icon={plays ? 'do-pause' : 'do-fold'}
        label={plays ? t`Pause` : t`Play`}
        onPress={() => player.send({ type: plays ? 'player.pause' : 'player.play' })}
      />
      <IconButton
        icon="chevron-right"
        label={t`Step forward`}
        blockedBecause={atEnd ? t`Already at the end.` : undefined}
        onPress={() => player.send({ type: 'player.step', direction: 1 })}
      />
      <MenuButton
        label={t`Speed: ${speedLabel(speed)}`}
        icon="speed"
        entries={() => SPEEDS.map(each => ({ id: String(each), label: speedLabel(each) }))}
        chosen={[String(speed)]}
        onChoose={id => player.send({ type: 'player.setSpeed', speed: Number(id) })}
      >
        {speedLabel(speed)}
      </MenuButton>
      <Button
        icon="warning"
        blockedBecause={faults === 0 ? t`No errors after this point.` : undefined}
        onPress={() => player.send({ type: 'player.nextFault' })}
      >
        {faults === 0 ? t`Next error` : t`Next error (${faults})`}
      </Button>
      {mark === undefined ? undefined : (
        <Button icon="tag" onPress={() => player.send({ type: 'player.seek', at: mark.at })}>
          {t`Go to the mark`}
        </Button>
      )}
    </div>
  )
}

/** Player controls, shown while a recording is replayed. Stays usable above dialogs of the recording. */
export function ReplayBar({ player, onClose }: Props) {
  return (
    <>
      <div aria-hidden="true" className={styles['frame']} />
      {/* A dialog that is open before the bar is there makes the rest of the page inert. */}
      {createPortal(
        <section aria-label={t`Recording`} data-react-aria-top-layer="true" className={styles['bar']}>
          <div className={styles['inner']}>
            <Icon name="history" />
            <RecordingStatus player={player} />
            <Controls player={player} />
            <Position player={player} />
            <div className={styles['leave']}>
              <Button kind="primary" icon="close" onPress={onClose}>
                {t`Leave`}
              </Button>
            </div>
          </div>
        </section>,
        document.body,
      )}
    </>
  )
}
