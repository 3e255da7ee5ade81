import { t } from '@lingui/core/macro'
import { Button } from '../parts/actions/button.tsx'
import { Dialog } from '../parts/overlays/dialog.tsx'
import { useSystem } from '../hooks/system-context.ts'
import { useSelector } from '../hooks/use-selector.ts'
import { Switch } from '../parts/fields/switch.tsx'
import { pageKeys } from '../shell/shortcuts.ts'

type Shortcut = {
  /** As printed on the keys. */
  readonly keys: readonly string[]
  readonly action: string
}

/** The shortcuts in the list. Standard keys of controls, such as arrows in a menu, are left out. */
const shortcuts: readonly { readonly scope: string; readonly list: readonly Shortcut[] }[] = [
  {
    scope: t`Everywhere`,
    list: [
      { keys: pageKeys.commands, action: t`Find a command or a place` },
      { keys: pageKeys.list, action: t`Show this list` },
      { keys: pageKeys.wall, action: t`Wall, a full screen for a room` },
      { keys: pageKeys.connect, action: t`Connect to a client` },
      { keys: pageKeys.inspect, action: t`Open or close the inspector` },
      { keys: [t`Esc`], action: t`Close a dialog or menu` },
    ],
  },
  { scope: t`Machines`, list: [{ keys: ['/'], action: t`Find machines` }] },
  {
    scope: t`In a list of machines`,
    list: [
      { keys: ['j'], action: t`Next machine` },
      { keys: ['k'], action: t`Previous machine` },
      { keys: ['x'], action: t`Select the machine` },
      { keys: ['p'], action: t`Pause the machine` },
      { keys: ['f'], action: t`Fold on the machine` },
    ],
  },
  {
    scope: t`3D view`,
    list: [
      { keys: [t`Space`], action: t`Start or stop rotation` },
      { keys: ['←'], action: t`Previous frame` },
      { keys: ['→'], action: t`Next frame` },
      { keys: ['↑'], action: t`Zoom in` },
      { keys: ['↓'], action: t`Zoom out` },
      { keys: ['W'], action: t`Wiggle` },
      { keys: ['P'], action: t`Play the trajectory` },
      { keys: ['1'], action: t`Space-filling` },
      { keys: ['2'], action: t`Ball and stick` },
      { keys: ['3'], action: t`Sticks` },
      { keys: ['4'], action: t`Cartoon` },
      { keys: ['5'], action: t`Surface` },
      { keys: ['S'], action: t`Water and ions` },
      { keys: ['G'], action: t`First frame as a ghost` },
      { keys: ['L'], action: t`Legend` },
      { keys: ['F'], action: t`Full screen` },
      { keys: [t`Home`], action: t`Fit the molecule` },
    ],
  },
  {
    scope: t`Log`,
    list: [
      { keys: ['/'], action: t`Search the log` },
      { keys: ['n'], action: t`Next match` },
      { keys: ['N'], action: t`Previous match` },
      { keys: ['c'], action: t`Show the selected line in context, or matches only` },
      { keys: [t`Home`], action: t`Oldest line` },
      { keys: [t`End`], action: t`Newest line, and follow new ones` },
    ],
  },
]

export function ShortcutsDialog({ onLeave }: { onLeave: () => void }) {
  const { preferences } = useSystem()
  return (
    <Dialog
      title={t`Keyboard shortcuts`}
      onLeave={onLeave}
      footer={
        <Button kind="primary" autoFocus onPress={onLeave}>
          {t`Close`}
        </Button>
      }
    >
      {shortcuts.map(({ scope, list }) => (
        <section key={scope} className="grid gap-2">
          <h3 className="quiet type-2 medium">{scope}</h3>
          <dl className="grid">
            {list.map(({ keys, action }) => (
              <div key={action} className="line between gap-3 pad-block-2 soft-line-above">
                <dt>{action}</dt>
                <dd className="flex gap-1">
                  {keys.map(key => (
                    <kbd key={key}>{key}</kbd>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Switch
        isSelected={useSelector(preferences, ({ context }) => context.shown.listKeys)}
        onChange={listKeys => preferences.send({ type: 'preferences.change', change: { listKeys } })}
      >
        {t`W, and the keys in lists of machines`}
      </Switch>
    </Dialog>
  )
}
