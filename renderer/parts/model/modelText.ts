import type { AskedModel, ModelInfo } from '../../../shared/model/modelInfo.ts';
import { costText, countText } from '../../../shared/text/amounts.ts';
import type { Words } from '../../words/words.tsx';

/** Window and price of a model at a glance; what nobody knows is called unknown. */
export function factsText({ window, price }: ModelInfo, { model }: Words): string {
  const room = window === undefined ? model.windowUnknown : model.window(countText(window));
  const cost = price === undefined ? model.priceUnknown : model.price(costText(price.input), costText(price.output));
  return `${room} · ${cost}`;
}

/** The dialect of a model, and who says so. */
export function dialectText({ dialect, dialectFrom }: AskedModel, { model }: Words): string {
  return model.asked(model.dialects[dialect], model.from[dialectFrom]);
}

/** The model with its effort, where one is asked for. */
export function nameAndEffort({ name, effort }: Pick<AskedModel, 'name' | 'effort'>): string {
  return effort === '' ? name : `${name} · ${effort}`;
}
