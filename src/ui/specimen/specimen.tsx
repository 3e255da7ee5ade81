import { useState, type ReactNode } from 'react'
import { Button, IconButton } from '../parts/actions/button.tsx'
import { Tabs } from '../parts/actions/tabs.tsx'
import { Badge } from '../parts/display/badge.tsx'
import { EmptyState } from '../parts/display/empty-state.tsx'
import { ProgressBar } from '../parts/display/progress-bar.tsx'
import { Skeleton } from '../parts/display/skeleton.tsx'
import { StatusMark } from '../parts/display/status-mark.tsx'
import type { Tone } from '../parts/display/tone.ts'
import { Value } from '../parts/display/value.tsx'
import { Banner } from '../parts/feedback/banner.tsx'
import { Checkbox } from '../parts/fields/checkbox.tsx'
import { PasswordField } from '../parts/fields/password-field.tsx'
import { SearchField } from '../parts/fields/search-field.tsx'
import { Select } from '../parts/fields/select.tsx'
import { Slider } from '../parts/fields/slider.tsx'
import { Switch } from '../parts/fields/switch.tsx'
import { TextField } from '../parts/fields/text-field.tsx'
import { actionIcons } from '../parts/icons/action-icons.tsx'
import { Icon, type IconName } from '../parts/icons/icon.tsx'
import { Mark } from '../parts/icons/mark.tsx'
import { stateIcons } from '../parts/icons/state-icons.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { Help } from '../parts/overlays/help.tsx'
import { MenuButton } from '../parts/overlays/menu-button.tsx'
import styles from './specimen.module.css'

const states: readonly (readonly [IconName, Tone, string])[] = [
  ['run', 'running', 'Running'],
  ['finish', 'finishing', 'Finishing'],
  ['wait', 'waiting', 'Download Wait'],
  ['pause', 'paused', 'Paused by user'],
  ['download', 'transfer', 'Download'],
  ['upload', 'transfer', 'Upload'],
  ['fail', 'failed', 'Failed'],
  ['warning', 'warning', 'Warning'],
  ['done', 'done', 'Credited'],
  ['assign', 'transfer', 'Assigning'],
  ['core', 'transfer', 'Core'],
  ['unknown', 'unknown', 'SOMETHING_NEW'],
  ['dump', 'failed', 'Dumped'],
  ['outdated', 'warning', 'Outdated'],
  ['unlinked', 'warning', 'Unlinked'],
  ['empty', 'paused', 'No work'],
  ['loading', 'unknown', 'Loading'],
  ['offline', 'stale', 'Disconnected'],
]

function namesOf(icons: object): readonly IconName[] {
  return Object.keys(icons).filter(isIconName)
}
function isIconName(name: string): name is IconName {
  return name in stateIcons || name in actionIcons
}
function nothing(): void {
  return undefined
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className={styles['part']}>
      <h2>{name}</h2>
      <div className={styles['row']}>{children}</div>
    </section>
  )
}

function Fields() {
  const [text, setText] = useState('office-01')
  const [isOn, setOn] = useState(true)
  const [share, setShare] = useState(6)
  const [tab, setTab] = useState('settings')
  return (
    <>
      <Part name="Fields">
        <TextField
          label="Machine name"
          value={text}
          onChange={setText}
          description="1 to 64 characters."
          help={<Help about="Machine name">Any name you like.</Help>}
        />
        <TextField label="Team" value="abc" onChange={nothing} error="Invalid team number" />
        <PasswordField
          label="Passkey"
          value="0123456789abcdef0123456789abcdef"
          onChange={nothing}
          onCopy={nothing}
          onGenerate={nothing}
        />
        <SearchField label="Filter machines" placeholder="Filter machines" value={text} onChange={setText} />
        <Select
          label="Cause"
          value="any"
          onChange={nothing}
          options={[
            { id: 'any', label: 'any' },
            { id: 'cancer', label: 'cancer' },
          ]}
        />
        <Slider label="CPUs" value={share} maximum={16} onChange={setShare} valueText={`${share} of 16`} />
        <Checkbox isSelected={isOn} onChange={setOn}>
          Only When Idle
        </Checkbox>
        <Checkbox isSelected={false} onChange={nothing} isDisabled>
          Keep Awake
        </Checkbox>
        <Switch isSelected={isOn} onChange={setOn}>
          Compact
        </Switch>
      </Part>
      <Tabs
        label="Account"
        selected={tab}
        onChange={setTab}
        tabs={['settings', 'appearance', 'teams'].map(id => ({ id, label: id, content: <p>This is {id}.</p> }))}
      />
    </>
  )
}

function Asking() {
  const [isOpen, setOpen] = useState(false)
  const close = (): void => setOpen(false)
  return (
    <>
      <Button onPress={() => setOpen(true)}>Open a dialog</Button>
      {isOpen ? (
        <Dialog
          title="Dump WU?"
          isQuestion
          onLeave={close}
          footer={
            <>
              <Button onPress={close} autoFocus>
                Cancel
              </Button>
              <Button kind="danger" onPress={close}>
                Dump
              </Button>
            </>
          }
        >
          <p>Dumped Work Units receive no points. Are you sure you want to dump this Work Unit?</p>
        </Dialog>
      ) : undefined}
    </>
  )
}

/** All UI components in their states: `npx vite`, then /src/ui/specimen/index.html?theme=dark&density=compact */
export function Specimen() {
  return (
    <main className={styles['page']}>
      <h1 className={styles['name']}>
        <Mark /> Foldboard
      </h1>
      <Part name="States">
        {states.map(([icon, tone, text]) => (
          <StatusMark key={text} icon={icon} tone={tone} text={text} />
        ))}
      </Part>
      <Part name="Bars">
        {states.map(([, tone, text], index) => (
          <ProgressBar
            key={text}
            label={text}
            valueText="42%"
            share={(index + 2) / 15}
            tone={tone}
            isMoving={tone === 'running' || tone === 'finishing'}
          />
        ))}
      </Part>
      <Part name="Badges">
        {states.map(([icon, tone, text], index) => (
          <Badge key={text} tone={tone} {...(index % 2 === 0 ? { icon } : {})}>
            {text}
          </Badge>
        ))}
      </Part>
      <Part name="Buttons">
        <Button kind="primary" icon="do-fold" onPress={nothing}>
          Fold All
        </Button>
        <Button icon="do-pause" onPress={nothing}>
          Pause All
        </Button>
        <Button kind="danger" icon="trash" onPress={nothing}>
          Dump
        </Button>
        <Button isPending onPress={nothing}>
          Pausing…
        </Button>
        <Button blockedBecause="The machine is disconnected." onPress={nothing}>
          Blocked
        </Button>
        <div role="group" aria-label="Folding">
          <IconButton icon="do-fold" label="Fold" isPressed onPress={nothing} />
          <IconButton icon="do-pause" label="Pause" isPressed={false} onPress={nothing} />
          <IconButton icon="do-finish" label="Finish" blockedBecause="Nothing is running." />
          <IconButton icon="eye" label="Show" isPressed onPress={nothing} />
        </div>
        <MenuButton
          label="More"
          icon="more"
          onChoose={nothing}
          entries={() => [
            { id: 'settings', label: 'Settings', icon: 'settings' },
            { id: 'log', label: 'Log', icon: 'log', blockedBecause: 'The machine is disconnected.' },
            { id: 'dump', label: 'Dump', icon: 'trash', isDangerous: true, startsGroup: true },
          ]}
        />
        <Asking />
      </Part>
      <Part name="Values">
        <Value unit="PPD" isLarge>
          12,345,678
        </Value>
        <Value unit="PPD">1,234</Value>
        <Value>???</Value>
        <Value unit="PPD" isStale>
          1,234
        </Value>
      </Part>
      <Fields />
      <Part name="Icons">
        {[...namesOf(stateIcons), ...namesOf(actionIcons)].map(name => (
          <span key={name} className={styles['icon']}>
            <Icon name={name} />
            <small>{name}</small>
          </span>
        ))}
      </Part>
      <Banner
        tone="warning"
        icon="warning"
        actions={
          <Button isSmall onPress={nothing}>
            Set it right
          </Button>
        }
      >
        The clock of this computer is 3 minutes ahead: machines may ignore commands.
      </Banner>
      <Skeleton label="Loading" rows={4} />
      <EmptyState
        icon="projects"
        title="No active projects."
        actions={
          <Button kind="primary" onPress={nothing}>
            Go to machines
          </Button>
        }
      >
        <p>While you are folding active projects will display here.</p>
      </EmptyState>
    </main>
  )
}
