import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from "@codemirror/autocomplete";
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { sparql } from "@codemirror/legacy-modes/mode/sparql";
import { setDiagnostics } from "@codemirror/lint";
import { EditorState, Prec } from "@codemirror/state";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers, placeholder } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useEffect, useRef } from "preact/hooks";
import type { Term } from "../state/types";
import { sparqlCompletion } from "./complete";

const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--code-keyword)", fontWeight: "600" },
  { tag: [tags.variableName, tags.special(tags.variableName)], color: "var(--code-variable)" },
  { tag: [tags.string, tags.special(tags.string)], color: "var(--code-string)" },
  { tag: [tags.number, tags.bool], color: "var(--code-number)" },
  { tag: [tags.atom, tags.standard(tags.variableName), tags.typeName, tags.propertyName], color: "var(--code-term)" },
  { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
]);

const look = EditorView.theme({
  "&": { color: "var(--ink)", backgroundColor: "var(--field)", fontSize: "14px", border: "1px solid var(--line-strong)", borderRadius: "6px", maxHeight: "60vh" },
  "&.cm-focused": { outline: "2px solid var(--accent)", outlineOffset: "1px" },
  ".cm-scroller": { fontFamily: "var(--mono)", minHeight: "9rem", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--ink)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "transparent", color: "var(--muted)", border: "none" },
  ".cm-activeLine": { backgroundColor: "var(--hover)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": { backgroundColor: "var(--selection)" },
  ".cm-tooltip": { backgroundColor: "var(--panel)", color: "var(--ink)", border: "1px solid var(--line-strong)", borderRadius: "6px" },
  ".cm-tooltip-autocomplete > ul > li[aria-selected]": { backgroundColor: "var(--accent)", color: "var(--on-accent)" },
  ".cm-completionInfo": { maxWidth: "22rem", padding: "6px 8px" },
  ".cm-completionDetail": { opacity: "0.8" },
  ".cm-placeholder": { color: "var(--muted)" },
});

// the browser, typing over a selection, would copy its styles inline, which the page's policy refuses with a complaint
const overSelection = EditorView.domEventHandlers({
  beforeinput(event, view) {
    if (event.inputType !== "insertText" || event.isComposing || !event.data || view.state.selection.main.empty) return false;
    event.preventDefault();
    view.dispatch(view.state.replaceSelection(event.data), { userEvent: "input.type", scrollIntoView: true });
    return true;
  },
});

interface Props {
  /** Text put in from outside: a new object replaces what stands there, typing does not come back through here. */
  put: { text: string };
  terms: readonly Term[];
  prefixes: Record<string, string>;
  /** What the server said about the query, with its place where it told one. */
  fault: string;
  onChange(text: string): void;
  onRun(): void;
}

/** "3:5" or "line 3, column 5" in a message of the server, as an offset. */
export function placeOf(message: string, text: string): number | null {
  const found = /(?:at |line )(\d+)(?::|,? col(?:umn)? ?)(\d+)/i.exec(message);
  if (!found) return null;
  const lines = text.split("\n");
  const line = Math.min(Number(found[1]), lines.length);
  const before = lines.slice(0, line - 1).reduce((n, l) => n + l.length + 1, 0);
  return Math.min(text.length, before + Math.max(0, Number(found[2]) - 1));
}

/** CodeMirror in a shadow root: there its styles are constructed sheets, which the page's policy allows. */
export function Editor({ put, terms, prefixes, fault, onChange, onRun }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView | null>(null);
  const now = useRef({ onChange, onRun, complete: sparqlCompletion(terms, prefixes) });
  now.current = { onChange, onRun, complete: sparqlCompletion(terms, prefixes) };

  useEffect(() => {
    const root = host.current!.shadowRoot ?? host.current!.attachShadow({ mode: "open", delegatesFocus: true });
    const parent = document.createElement("div");
    root.append(parent);
    const editor = new EditorView({
      root,
      parent,
      state: EditorState.create({
        doc: put.text,
        extensions: [
          Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (now.current.onRun(), true) }])),
          lineNumbers(), history(), drawSelection(), bracketMatching(), closeBrackets(), highlightActiveLine(),
          StreamLanguage.define(sparql), syntaxHighlighting(colours), look,
          placeholder("SELECT ?paper ?title WHERE { ?paper dcterms:title ?title } LIMIT 10"),
          autocompletion({ override: [(c) => now.current.complete(c)], icons: false }),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.lineWrapping,
          overSelection,
          EditorView.contentAttributes.of({ "aria-label": "SPARQL query. Ctrl Enter runs it; Escape, then Tab leaves the field.", spellcheck: "false" }),
          EditorView.updateListener.of((u) => u.docChanged && now.current.onChange(u.state.doc.toString())),
        ],
      }),
    });
    view.current = editor;
    return () => {
      editor.destroy();
      parent.remove();
    };
  }, []);

  useEffect(() => {
    const editor = view.current!;
    const text = editor.state.doc.toString();
    if (text !== put.text) editor.dispatch({ changes: { from: 0, to: text.length, insert: put.text } });
  }, [put]);

  useEffect(() => {
    const editor = view.current!;
    const text = editor.state.doc.toString();
    const at = fault ? placeOf(fault, text) : null;
    const marks = at === null ? [] : [{ from: Math.min(at, Math.max(0, text.length - 1)), to: Math.min(text.length, at + 1), severity: "error" as const, message: fault }];
    editor.dispatch(setDiagnostics(editor.state, marks));
  }, [fault]);

  return <div class="editor" ref={host} />;
}
