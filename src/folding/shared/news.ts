/*
 * The order in which the project's news are shown.
 */
import type { News, NewsItem } from '../../protocol/api/news.ts'

/** By how many places an article may be shuffled down. */
const MAX_SHIFT = 4

/**
 * Shuffled by the random numbers that came with them, newest first on average (docs/product.md §9). Articles without
 * text are left out.
 */
export function newsInOrder({ items, chances }: News): readonly NewsItem[] {
  return items
    .map((item, index) => ({ item, place: index + MAX_SHIFT * (chances[index] ?? 0) }))
    .sort((a, b) => a.place - b.place)
    .flatMap(({ item }) => (item.title.trim() === '' && item.description.trim() === '' ? [] : [item]))
}
