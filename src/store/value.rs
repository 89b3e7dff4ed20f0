//! How domain values stand in columns: through their serde form, so that no word is written twice.

use rusqlite::ToSql;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde::de::value::StrDeserializer;

/// A value whose serde form is one string: a state, a mode, a name, a time, a path.
pub(super) struct Text<T>(pub T);

impl<T: Serialize> ToSql for Text<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        match serde_json::to_value(&self.0) {
            Ok(serde_json::Value::String(text)) => Ok(text.into()),
            Ok(other) => Err(unstorable(format!("`{other}` is not one word"))),
            Err(error) => Err(unstorable(error)),
        }
    }
}

impl<T: DeserializeOwned> FromSql for Text<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let source = StrDeserializer::<serde::de::value::Error>::new(value.as_str()?);
        T::deserialize(source).map(Self).map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

/// A value with structure, kept as JSON text.
pub(super) struct Json<T>(pub T);

impl<T: Serialize> ToSql for Json<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text = serde_json::to_string(&self.0).map_err(unstorable)?;
        // Tool arguments nest as deep as a model likes, and the reader has a limit. What could not be
        // read again must not get in: it would stop every later start.
        serde_json::from_str::<serde_json::Value>(&text).map_err(unstorable)?;
        Ok(text.into())
    }
}

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?).map(Self).map_err(|error| FromSqlError::Other(Box::new(error)))
    }
}

fn unstorable(cause: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> rusqlite::Error {
    rusqlite::Error::ToSqlConversionFailure(cause.into())
}
