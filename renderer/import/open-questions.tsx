/** What the guess could not decide: each question with its candidates, answered by a click. */
import { Circle, CircleCheck } from 'lucide-react';
import { fillPercent } from '../../engine/spec/import-checks.ts';
import { parseJoinRows } from '../../engine/spec/join-rows.ts';
import { joinsOf } from '../../engine/spec/table-names.ts';
import type { Question, QuestionChoice } from '../../engine/work/import-answers.ts';
import { useStore } from '../state/store.ts';
import { type ImportState, importing } from './import-state.ts';
import { withTarget } from './mapping-rows.ts';

/** Questions of a guess; a saved mapping has answered them. */
export const questionsOf = ({ proposal, savedMapping }: ImportState): readonly Question[] =>
  savedMapping === null ? (proposal?.questions ?? []) : [];

export const isOpen = (state: ImportState, { about }: Question): boolean => state.answers[about] === undefined;

/** The state once a question is answered. */
export function answered(state: ImportState, { about }: Question, { value }: QuestionChoice): Partial<ImportState> {
  const answers = { ...state.answers, [about]: value };
  const { base, rows } = state;
  if (about === 'rows') {
    const [only, ...others] = joinsOf(base ?? {}).map((join) => ({ ...join, rows: parseJoinRows(value) }));
    if (!base || !only) return { answers };
    return { answers, base: { ...base, join: others.length === 0 ? only : [only, ...others] } };
  }
  const row = rows.find(({ source, target }) => (value === '' ? target === about : source === value));
  return { answers, rows: row ? withTarget(rows, row.id, value === '' ? null : about) : rows };
}

export function OpenQuestions() {
  const state = useStore(importing);
  return questionsOf(state).map((question) => (
    <section
      key={question.about}
      className="open-question"
      aria-label={question.text}
      data-open={isOpen(state, question)}
    >
      <h3>{question.text}</h3>
      <div className="two">
        {question.choices.map((choice) => (
          <Choice
            key={choice.value}
            choice={choice}
            isChosen={state.answers[question.about] === choice.value}
            onChoose={() => importing.set((now) => answered(now, question, choice))}
          />
        ))}
      </div>
    </section>
  ));
}

interface ChoiceProps {
  readonly choice: QuestionChoice;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

const Choice = ({ choice: { label, filled, samples, effect }, isChosen, onChoose }: ChoiceProps) => (
  <button type="button" className="choice" aria-pressed={isChosen} onClick={onChoose}>
    {isChosen ? <CircleCheck aria-hidden /> : <Circle aria-hidden />}
    <b>{label}</b>
    {filled === null ? null : (
      <span className="num">
        filled on {fillPercent(filled, 1)} of rows: {samples.join(' · ')}
      </span>
    )}
    <span>{effect}</span>
  </button>
);
