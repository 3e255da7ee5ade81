import { isTextDropItem, useDragAndDrop, type DragAndDropHooks } from 'react-aria-components/useDragAndDrop'

type Anchor = { readonly name: string; readonly side: 'before' | 'after' }

type Options = {
  /** Whether the order within the list means something. */
  readonly canReorder: boolean
  /** `anchor` undefined: at the end. */
  readonly onPlace: (names: readonly string[], anchor?: Anchor) => void
}

const TYPE = 'foldboard-column'

const anchorOf = ({ key, dropPosition }: { readonly key: string | number; readonly dropPosition: string }): Anchor => ({
  name: String(key),
  side: dropPosition === 'before' ? 'before' : 'after',
})

/** Columns go from list to list and from place to place. Only columns: nothing else can be dropped. */
export const useColumnDrag = ({ canReorder, onPlace }: Options): DragAndDropHooks => {
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

const namesOf = (items: readonly Dropped[]): Promise<readonly string[]> =>
  Promise.all(items.filter(isTextDropItem).map(item => item.getText(TYPE)))
