/** Tasks of the same time are in the order in which they were added. */
type Timed = { readonly at: number; readonly order: number }

function isBefore(a: Timed, b: Timed): boolean {
  return a.at < b.at || (a.at === b.at && a.order < b.order)
}

/** A binary heap, with the earliest first. */
export function createHeap<Item extends Timed>() {
  let heap: Item[] = []

  const siftUp = (moved: Item): void => {
    let index = heap.length - 1
    while (index > 0) {
      const above = (index - 1) >> 1
      const parent = heap[above]
      if (parent === undefined || !isBefore(moved, parent)) break
      heap[index] = parent
      index = above
    }
    heap[index] = moved
  }

  const siftDown = (moved: Item): void => {
    let index = 0
    for (;;) {
      const left = heap[2 * index + 1]
      if (left === undefined) break
      const right = heap[2 * index + 2]
      const takesRight = right !== undefined && isBefore(right, left)
      const child = takesRight ? right : left
      if (!isBefore(child, moved)) break
      heap[index] = child
      index = 2 * index + (takesRight ? 2 : 1)
    }
    heap[index] = moved
  }

  return {
    first: () => heap[0],
    size: () => heap.length,
    add: (item: Item): void => {
      heap.push(item)
      siftUp(item)
    },
    takeFirst: (): void => {
      const last = heap.pop()
      if (last !== undefined && heap.length > 0) siftDown(last)
    },
    /** A sorted list is a heap. */
    keepOnly: (isKept: (item: Item) => boolean): void => {
      heap = heap.filter(isKept).sort((a, b) => (isBefore(a, b) ? -1 : 1))
    },
  }
}
