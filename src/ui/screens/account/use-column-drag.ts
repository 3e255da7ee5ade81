import { isTextDropItem, useDragAndDrop, type DragAndDropHooks } from 'react-aria-components/useDragAndDrop'

type Anchor = { readonly name: string; readonly side: 'before' | 'after' }

type Options = {
  /** Whether items can be reordered within the list. */
  readonly canReorder: boolean
  /** Without `anchor`, the columns go to the end. */
  readonly onPlace: (names: readonly string[], anchor?: Anchor) => void
}

const TYPE = 'foldboard-column'

function anchorOf({ key, dropPosition }: { readonly key: string | number; readonly dropPosition: string }): Anchor {
  return {
    name: String(key),
    side: dropPosition === 'before' ? 'before' : 'after',
  }
}

/** Drag and drop of columns between and within lists. Nothing else can be dropped. */
export function useColumnDrag({ canReorder, onPlace }: Options): DragAndDropHooks {
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: keys => [...keys].map(key => ({ [TYPE]: String(key) })),
    acceptedDragTypes: [TYPE],
    getDropOperation: () => 'move',
    onInsert: ({ items, target }) =>
      void namesOf(items).then(names => onPlace(names, canReorder ? anchorOf(target) : undefined)),
    onRootDrop: ({ items }) => void namesOf(items).then(names => onPlace(names)),
    ...(canReorder ? { onReorder: ({ keys, target }) => onPlace([...keys].map(String), anchorOf(target)) } : {}),
  })
  return dragAndDropHooks
}

type Dropped = Parameters<typeof isTextDropItem>[0]

function namesOf(items: readonly Dropped[]): Promise<readonly string[]> {
  return Promise.all(items.filter(isTextDropItem).map(item => item.getText(TYPE)))
}
