import { t } from '@lingui/core/macro'
import { useSelector } from '../hooks/use-selector.ts'
import { diagnose, type CheckFacts, type ProbeName } from '../../folding/client/connection-diagnosis.ts'
import {
  checkReport,
  diagnosisText,
  probeLabel,
  probeText,
  type DiagnosisLine,
} from '../../folding/client/connection-diagnosis-text.ts'
import { loadFaultText } from '../../folding/shared/load-fault.ts'
import { selectCheckFacts, selectMadeProbes } from '../../machines/connection/check/connection-check.selectors.ts'
import { useSystem } from '../hooks/system-context.ts'
import { useCopy } from '../hooks/use-copy.ts'
import { Button, IconButton } from '../parts/actions/button.tsx'
import { classNames } from '../parts/class-names.ts'
import tones from '../parts/display/tones.module.css'
import { Icon } from '../parts/icons/icon.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import styles from './connection-check-dialog.module.css'

function Line({ line: { label, text }, onCopy }: { readonly line: DiagnosisLine; readonly onCopy: () => void }) {
  return (
    <div className="stack gap-1">
      <span className={styles['label']}>{label}</span>
      <div className="line gap-2">
        <code className={styles['code']} tabIndex={0} aria-label={label}>
          {text}
        </code>
        <IconButton icon="copy" label={t`Copy: ${label}`} onPress={onCopy} isSmall />
      </div>
    </div>
  )
}

type ResultProps = { readonly facts: CheckFacts; readonly onCopy: (what: string, text: string) => void }

function Result({ facts, onCopy }: ResultProps) {
  const diagnosis = diagnose(facts)
  const { title, why, todo, lines } = diagnosisText(diagnosis, facts)
  const isGood = diagnosis === 'connected'
  return (
    <section className={classNames(styles['result'], tones[isGood ? 'running' : 'warning'])}>
      <Icon name={isGood ? 'done' : 'warning'} />
      <div className="stack gap-3 anywhere">
        <h3 className="type-5 strong">{title}</h3>
        <p>{why}</p>
        <p className="strong">{todo}</p>
        {lines.map(line => (
          <Line key={line.text} line={line} onCopy={() => onCopy(t`The line`, line.text)} />
        ))}
      </div>
    </section>
  )
}

function Probes({ made, facts }: { readonly made: readonly ProbeName[]; readonly facts: CheckFacts }) {
  return (
    <dl className="space-top-2 line-below type-2">
      {made.map(name => (
        <div key={name} className={styles['probe']}>
          <dt>{probeLabel(name)}</dt>
          <dd>{probeText(name, facts.results)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Finds out why a client cannot be reached, and reports what to do about it. */
export function ConnectionCheckDialog() {
  const { connectionCheck } = useSystem()
  const { copy, outcome } = useCopy()
  const address = useSelector(connectionCheck, ({ context }) => context.address)
  const isBusy = useSelector(connectionCheck, snapshot => snapshot.hasTag('busy'))
  const isDecided = useSelector(connectionCheck, snapshot => snapshot.hasTag('decided'))
  const facts = useSelector(connectionCheck, selectCheckFacts)
  const made = useSelector(connectionCheck, selectMadeProbes)
  const fault = useSelector(connectionCheck, ({ context }) => context.loadFault)
  const close = (): void => connectionCheck.send({ type: 'check.close' })
  return (
    <Dialog
      title={t`Connection check`}
      onLeave={close}
      footer={
        <>
          <Button icon="reset" isPending={isBusy} onPress={() => connectionCheck.send({ type: 'check.again' })}>
            {isBusy ? t`Checking…` : t`Check again`}
          </Button>
          <Button kind="primary" autoFocus onPress={close}>
            {t`Close`}
          </Button>
        </>
      }
    >
      <div className="stack gap-4">
        <div role="status" className={styles['status']}>
          {isBusy ? <p>{t`Trying all ways to the client at ${address}…`}</p> : undefined}
          {fault === undefined ? undefined : <p>{t`The check cannot be made now. ${loadFaultText(fault)}`}</p>}
          {isDecided && facts !== undefined ? <Result facts={facts} onCopy={copy} /> : undefined}
        </div>
        {facts === undefined || made.length === 0 ? undefined : (
          <details className={styles['details']}>
            <summary>{t`What was tried`}</summary>
            <Probes made={made} facts={facts} />
          </details>
        )}
        <div className={styles['copying']}>
          {isDecided && facts !== undefined ? (
            <Button icon="copy" isSmall onPress={() => copy(t`The result`, checkReport(facts))}>
              {t`Copy result`}
            </Button>
          ) : undefined}
          <p role="status" className={styles['outcome']}>
            {outcome}
          </p>
        </div>
      </div>
    </Dialog>
  )
}
