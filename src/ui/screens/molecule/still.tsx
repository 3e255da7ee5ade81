import { t } from '@lingui/core/macro'
import { useEffect, useState, type ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { conditionText, moleculeCondition } from '../../../folding/molecule/molecule-condition.ts'
import { pathPart } from '../../../folding/address/web-address.ts'
import type { ClientRef } from '../../../machines/connection/client/client.machine.ts'
import { isAwaited } from '../../../machines/connection/client/client.selectors.ts'
import { useIsRelayPending } from '../../hooks/use-relay-pending.ts'
import { selectClientRef } from '../../../machines/connection/fleet/fleet.selectors.ts'
import { selectProgress, selectStill } from '../../../machines/screens/molecules/molecules.selectors.ts'
import { useSystem } from '../../hooks/system-context.ts'
import { useMetered } from '../../hooks/use-metered.ts'
import { useOnScreen } from '../../hooks/use-on-screen.ts'
import { useSelector } from '../../hooks/use-selector.ts'
import { Button } from '../../parts/actions/button.tsx'
import { Icon } from '../../parts/icons/icon.tsx'
import { selectFrameCount } from '../viewer/molecule-facts.ts'
import { MoleculeDrawing } from './molecule-drawing.tsx'
import styles from './still.module.css'

/** Pixels: twice what most pictures have on the screen. */
const SIZE = { width: 960, height: 600 } as const

type Props = { readonly client: string; readonly unit: string }

function Reason({ text, children }: { readonly text: string; readonly children?: ReactNode }) {
  return (
    <div className={styles['reason']}>
      <Icon name="molecule" />
      <p>{text}</p>
      {children}
    </div>
  )
}

/** Has the molecule read while the picture is on the screen, and asked for if that is allowed. */
function useMolecule({ client, unit }: Props, isOnScreen: boolean, mayAsk: boolean) {
  const { molecules } = useSystem()
  useEffect(() => {
    if (!isOnScreen) return undefined
    molecules.send({ type: 'molecules.want', client, unit })
    return () => molecules.send({ type: 'molecules.leave', client, unit })
  }, [molecules, client, unit, isOnScreen])
  useEffect(
    () => molecules.send({ type: 'molecules.allow', client, unit, mayAsk: isOnScreen && mayAsk }),
    [molecules, client, unit, isOnScreen, mayAsk],
  )
  return {
    progress: useSelector(molecules, selectProgress({ client, unit })),
    structure: useSelector(molecules, selectStill({ client, unit })),
    retry: () => molecules.send({ type: 'molecules.retry', client, unit }),
  }
}

function Listed({ client, unit, from }: Props & { readonly from: ClientRef }) {
  const { attach, isOnScreen } = useOnScreen()
  const isMetered = useMetered()
  const [isWanted, setWanted] = useState(false)
  const isHere = useSelector(from, snapshot => snapshot.hasTag('connected'))
  const isLoading = useSelector(from, isAwaited(useIsRelayPending()))
  const frames = useSelector(from, selectFrameCount(unit))
  const mayAsk = isHere && (frames ?? 0) > 0 && (isWanted || !isMetered)
  const { progress, structure, retry } = useMolecule({ client, unit }, isOnScreen, mayAsk)
  const condition = moleculeCondition({
    structure,
    frames,
    isConnected: isHere,
    isAwaited: isLoading,
    isRestoring: progress === 'unread',
  })
  const isComing = condition === 'requested' || (condition === 'noPositions' && progress !== 'failed')
  return (
    <div ref={attach} className={styles['still']}>
      {condition === 'shown' ? (
        <Link to={`/${pathPart(client)}/view/${pathPart(unit)}`} className={styles['link']}>
          <MoleculeDrawing
            topology={structure.topology}
            positions={structure.trajectory.frames[0]}
            name={`${client} ${unit}`}
            {...SIZE}
          />
          <span className={styles['open']}>
            <Icon name="molecule" />
            {t`3D view`}
          </span>
        </Link>
      ) : isComing && !mayAsk ? (
        <Reason text={t`The molecule is not loaded over a metered or slow connection.`}>
          <Button isSmall onPress={() => setWanted(true)}>{t`Load the molecule`}</Button>
        </Reason>
      ) : isComing && progress === 'failed' ? (
        <Reason text={t`The machine did not send the molecule in time.`}>
          <Button icon="reset" isSmall onPress={retry}>{t`Try again`}</Button>
        </Reason>
      ) : (
        <Reason text={conditionText(isComing ? 'requested' : condition, structure.refused).title} />
      )}
    </div>
  )
}

/** The picture of a unit of a client that is listed. */
export function Still({ client, unit }: Props) {
  const from = useSelector(useSystem().fleet, selectClientRef(client))
  return from === undefined ? (
    <Reason text={conditionText('unknownUnit', 0).title} />
  ) : (
    <Listed client={client} unit={unit} from={from} />
  )
}
