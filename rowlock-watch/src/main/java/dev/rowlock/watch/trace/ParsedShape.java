package dev.rowlock.watch.trace;

import dev.rowlock.watch.internal.LockScan;
import dev.rowlock.watch.trace.SqlShape.Assignment;
import dev.rowlock.watch.trace.SqlShape.Equals;
import dev.rowlock.watch.trace.SqlShape.Trait;
import dev.rowlock.watch.trace.SqlShape.Where;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.sf.jsqlparser.expression.Alias;
import net.sf.jsqlparser.expression.Expression;
import net.sf.jsqlparser.parser.CCJSqlParser;
import net.sf.jsqlparser.parser.ParseException;
import net.sf.jsqlparser.parser.StringProvider;
import net.sf.jsqlparser.schema.Table;
import net.sf.jsqlparser.statement.Statement;
import net.sf.jsqlparser.statement.delete.Delete;
import net.sf.jsqlparser.statement.insert.Insert;
import net.sf.jsqlparser.statement.select.FromItem;
import net.sf.jsqlparser.statement.select.Join;
import net.sf.jsqlparser.statement.select.ParenthesedSelect;
import net.sf.jsqlparser.statement.select.PlainSelect;
import net.sf.jsqlparser.statement.select.Select;
import net.sf.jsqlparser.statement.select.WithItem;
import net.sf.jsqlparser.statement.update.Update;
import net.sf.jsqlparser.statement.update.UpdateSet;
import net.sf.jsqlparser.util.TablesNamesFinder;
import org.jspecify.annotations.Nullable;

/** Adds to the shape of a statement what JSqlParser makes of it. */
final class ParsedShape {
    private final SqlShape known;
    private final int parametersBefore;
    /** Names that tables have in the statement, and their own. */
    private final Map<String, String> aliases = new HashMap<>();

    private final Set<Trait> traits = EnumSet.noneOf(Trait.class);
    private final List<Assignment> assignments = new ArrayList<>();
    private Where where = Where.NONE;

    private ParsedShape(SqlShape known, int parametersBefore) {
        this.known = known;
        this.parametersBefore = parametersBefore;
    }

    /** What is known with what the parser says, or as it is if the parser does not understand the text. */
    static SqlShape of(SqlShape known, String sql, int parametersBefore) {
        try {
            return new ParsedShape(known, parametersBefore).with(parse(sql));
        } catch (ParseException | RuntimeException | StackOverflowError e) {
            // Marked as not parsed: that is how the user learns of it. JSqlParser throws many kinds of errors on what
            // it does not know.
            return known;
        }
    }

    private static Statement parse(String sql) throws ParseException {
        try {
            return parser(sql, false).Statement();
        } catch (ParseException e) {
            return parser(sql, true).Statement();
        }
    }

    private static CCJSqlParser parser(String sql, boolean complex) {
        return new CCJSqlParser(new StringProvider(sql)).withAllowComplexParsing(complex);
    }

    private SqlShape with(Statement statement) {
        if (statement instanceof PlainSelect select) {
            select(select);
        } else if (statement instanceof Update update) {
            update(update);
        } else if (statement instanceof Delete delete) {
            delete(delete);
        } else if (statement instanceof Insert insert) {
            if (insert.getConflictAction() != null) {
                traits.add(Trait.ON_CONFLICT);
            }
            with(insert.getWithItemsList());
        } else if (statement instanceof Select other) {
            with(other.getWithItemsList());
        } else if (known.verb() != SqlShape.Verb.MERGE) {
            return known;
        }
        return new SqlShape(
                known.sql(),
                known.verb(),
                true,
                known.locks(),
                tables(statement),
                known.target(),
                where,
                assignments,
                traits,
                known.form());
    }

    private static List<String> tables(Statement statement) {
        Set<String> names = new LinkedHashSet<>();
        for (String name : new TablesNamesFinder<Void>().getTables(statement)) {
            names.add(name(name));
        }
        return List.copyOf(names);
    }

    private void select(PlainSelect select) {
        with(select.getWithItemsList());
        from(select.getFromItem());
        joins(select.getJoins());
        where = where(select.getWhere());
        if (select.getLimit() != null || select.getFetch() != null) {
            traits.add(Trait.LIMITED);
        }
        if (select.getOrderByElements() != null) {
            traits.add(Trait.ORDERED);
        }
        boolean aggregates =
                select.getSelectItems().stream().anyMatch(item -> Expressions.aggregates(item.getExpression()));
        boolean decides =
                select.getSelectItems().stream().anyMatch(item -> Expressions.hasExists(item.getExpression()));
        boolean overQuery = select.getFromItem() instanceof ParenthesedSelect || select.getWithItemsList() != null;
        if (decides || (aggregates && overQuery)) {
            traits.add(Trait.SUMS_UP_A_QUERY);
        }
    }

    private void update(Update update) {
        with(update.getWithItemsList());
        from(update.getTable());
        from(update.getFromItem());
        joins(update.getJoins());
        where = where(update.getWhere());
        for (UpdateSet set : update.getUpdateSets()) {
            for (int i = 0; i < set.getColumns().size(); i++) {
                // (a, b) = (SELECT …)
                Expression value = set.getValues().size() > i ? set.getValue(i) : set.getValue(0);
                assignments.add(
                        new Assignment(name(set.getColumn(i).getColumnName()), Expressions.byTheDatabase(value)));
            }
        }
    }

    private void delete(Delete delete) {
        with(delete.getWithItemsList());
        from(delete.getTable());
        if (delete.getUsingList() != null) {
            delete.getUsingList().forEach(this::from);
        }
        where = where(delete.getWhere());
    }

    private void with(@Nullable List<WithItem<?>> items) {
        if (items != null && items.stream().anyMatch(item -> !(item.getParenthesedStatement() instanceof Select))) {
            traits.add(Trait.WRITES_INSIDE);
        }
    }

    private void joins(@Nullable List<Join> joins) {
        if (joins != null) {
            joins.forEach(join -> from(join.getFromItem()));
        }
    }

    private void from(@Nullable FromItem item) {
        if (item instanceof Table table) {
            Alias alias = table.getAlias();
            String own = name(table.getFullyQualifiedName());
            aliases.put(alias == null ? name(table.getName()) : name(alias.getName()), own);
        } else if (item != null) {
            // Columns without a table's name may belong to it.
            aliases.put(item.toString(), "");
        }
    }

    private Where where(@Nullable Expression condition) {
        if (condition == null) {
            return Where.NONE;
        }
        List<Equals> keys = new ArrayList<>();
        int others = 0;
        for (Expression part : Expressions.parts(condition)) {
            Optional<Equals> equals = Expressions.equality(part, parametersBefore)
                    .map(found -> new Equals(table(found.qualifier()), name(found.column()), found.values()));
            equals.ifPresent(keys::add);
            others += equals.isPresent() ? 0 : 1;
        }
        Set<String> columns = new LinkedHashSet<>();
        Expressions.columns(condition).forEach(column -> columns.add(name(column)));
        return new Where(keys, others, columns);
    }

    private Optional<String> table(@Nullable String qualifier) {
        if (qualifier != null) {
            String name = name(qualifier);
            return Optional.ofNullable(aliases.getOrDefault(name, aliases.containsValue(name) ? name : null))
                    .filter(table -> !table.isEmpty());
        }
        return aliases.size() == 1
                ? aliases.values().stream().filter(table -> !table.isEmpty()).findFirst()
                : Optional.empty();
    }

    /** As PostgreSQL reads it. */
    static String name(String written) {
        StringBuilder name = new StringBuilder();
        for (String part : written.split("\\.", -1)) {
            boolean quoted = part.length() > 1 && part.startsWith("\"");
            name.append(name.length() == 0 ? "" : ".")
                    .append(quoted ? part.substring(1, part.length() - 1) : part.toLowerCase(Locale.ROOT));
        }
        return LockScan.withoutPublic(name.toString());
    }
}
